import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createContentSecurityPolicy, extractNonceScripts } from './content-security-policy.server'

const formatHash = (script: string) =>
  `'sha256-${createHash('sha256').update(script).digest('base64')}'`
const mark = ' nonce="n0nce"'
const take = (page: string) => extractNonceScripts(Buffer.from(page), 'n0nce')

describe('the policy of a page', () => {
  it('contains the hash of each marked script once', () => {
    const page = `<script${mark}>1</script><script type="module"${mark} async="">2</script><script${mark}>1</script>`
    expect(createContentSecurityPolicy(take(page).scripts)).toContain(
      `; script-src 'self' ${formatHash('1')} ${formatHash('2')};`,
    )
  })

  it.each([
    '<script>alert(1)</script>',
    '<script nonce="guess">alert(1)</script>',
    '<script nonce="">alert(1)</script>',
    '<script data-nonce="n0nce">alert(1)</script>',
    `<p title='<script${mark.replace('n0nce', 'n0nc')}>'>alert(1)</script>`,
    '<script type="application/ld+json">alert(1)</script>',
    `<script>alert(1)/*<script${mark}>1</script>`,
  ])('has no hash for %s, which somebody else wrote', (injected) => {
    const { scripts } = take(`${injected}<script${mark}>1</script>`)
    expect(scripts.join()).not.toContain('alert')
  })

  it('has no hash for a script of a file', () => {
    expect(take(`<script${mark} src="/a.js"></script>`).scripts).toEqual([])
  })

  it('has the hash of a script with any text', () => {
    const policy = createContentSecurityPolicy(take(`é<script${mark}>"漢 é"</script>`).scripts)
    expect(policy).toContain(formatHash('"漢 é"'))
  })

  it('leaves no nonce in the page', () => {
    const page = `<link rel="modulepreload" href="/é.js"${mark}/><script${mark}>1</script>’`
    expect(take(page).html.toString()).toBe(
      '<link rel="modulepreload" href="/é.js"/><script>1</script>’',
    )
  })
})
