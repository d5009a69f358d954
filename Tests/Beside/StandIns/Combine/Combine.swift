// Combine exists on Apple's systems only. OpenCombine declares the same names, and this module passes them on.

@_exported import OpenCombine
