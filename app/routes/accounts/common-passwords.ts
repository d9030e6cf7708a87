import { loadCommonPasswords } from '~/features/accounts/password/new-password.server'
import { publicPage } from '~/server/cache/cache-public-pages.server'

/** The list that a new password is compared with in the browser, one a line. */
export async function loader() {
  const text = [...(await loadCommonPasswords())].join('\n')
  return new Response(text, {
    headers: { ...publicPage(), 'Content-Type': 'text/plain; charset=utf-8' },
  })
}
