/** Verifiers run anywhere, in browsers too; each time they ask they get what holds now. */
export const credentialHeaders = {
  'Content-Type': 'application/vc',
  'Access-Control-Allow-Origin': '*',
  'Cache-Control': 'no-cache',
  'X-Robots-Tag': 'noindex',
}
