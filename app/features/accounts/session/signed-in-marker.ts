/**
 * The cookie that tells a page that there is a session to ask for, so that a visitor's page asks nothing. It proves
 * nothing. Its name has the port of PUBLIC_URL, because products on one machine share their cookies.
 */
export function signedInMarker(publicUrl: string): string {
  const { port } = new URL(publicUrl)
  return port ? `learnify-signed-in-${port}` : 'learnify-signed-in'
}
