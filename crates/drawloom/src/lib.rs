//! Actions declared once as commands, reached by people and AG-UI agents through one seam.
