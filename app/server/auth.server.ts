/** The account service; the accounts work fills this in. */
export async function openAccountService() {
  return { handle: async (_request: Request) => new Response(null, { status: 404 }) }
}
