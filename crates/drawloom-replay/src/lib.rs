//! A workbench described in a file, and recorded AG-UI runs played against it.
