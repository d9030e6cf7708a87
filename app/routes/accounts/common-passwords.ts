import { loadCommonPasswords } from '~/features/accounts/password/new-password.server'
import { publicPageHeaders } from '~/server/cache/page-cache.server'

/**
 * Responds with the common passwords, one per line. The browser compares new passwords with them.
 */
export async function loader() {
  const text = [...(await loadCommonPasswords())].join('\n')
  return new Response(text, {
    headers: { ...publicPageHeaders(), 'Content-Type': 'text/plain; charset=utf-8' },
  })
}
