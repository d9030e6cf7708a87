/**
 * The cookie that tells a page that there is a session to ask for, so that a visitor's page asks nothing. It is no proof
 * of anything. Its name has the port, because products on one machine share their cookies.
 */
export function signedInMarker(port: string): string {
  return port ? `learnify-signed-in-${port}` : 'learnify-signed-in'
}
