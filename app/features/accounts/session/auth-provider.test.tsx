import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { AuthProvider, useAuth } from './auth-provider'

function Reader() {
  const { user, loading, busy, error } = useAuth()
  return JSON.stringify({ user, loading, busy, error })
}

test('useAuth fails outside of its provider, with the reason', () => {
  expect(() => renderToString(<Reader />)).toThrow('useAuth must be used within an AuthProvider')
})

test('the session is loading until the first result: nobody, not busy, no error', () => {
  const html = renderToString(
    <AuthProvider user={undefined} refresh={async () => {}} signingIn={false}>
      <Reader />
    </AuthProvider>,
  )
  expect(JSON.parse(html.replaceAll('&quot;', '"'))).toEqual({ user: null, loading: true, busy: false, error: null })
})
