import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { attemptLimits } from '~/features/accounts/attempt-limits.server'

const text = readFileSync('docs/security.md', 'utf8')
const rows = text.split('\n').filter((line) => line.startsWith('|'))

/**
 * The requirements of levels 1 and 2 of OWASP ASVS 5.0.0 by section: from 1 to this number, or just
 * these.
 */
const requirements: Record<string, number | readonly number[]> = {
  '1.1': 2,
  '1.2': 9,
  '1.3': 11,
  '1.4': 3,
  '1.5': 2,
  '2.1': 3,
  '2.2': 3,
  '2.3': 4,
  '2.4': 1,
  '3.2': 2,
  '3.3': 4,
  '3.4': 6,
  '3.5': 5,
  '3.7': 2,
  '4.1': 3,
  '4.2': 1,
  '4.3': 2,
  '4.4': 4,
  '5.1': 1,
  '5.2': 3,
  '5.3': 2,
  '5.4': 3,
  '6.1': 3,
  '6.2': 12,
  '6.3': 4,
  '6.4': 4,
  '6.5': 5,
  '6.6': 3,
  '6.8': 4,
  '7.1': 3,
  '7.2': 4,
  '7.3': 2,
  '7.4': 5,
  '7.5': 2,
  '7.6': 2,
  '8.1': 2,
  '8.2': 3,
  '8.3': 1,
  '8.4': 1,
  '9.1': 3,
  '9.2': 4,
  '10.1': 2,
  '10.2': 2,
  '10.3': 4,
  '10.4': 11,
  '10.5': 5,
  '10.6': 2,
  '10.7': 3,
  '11.1': 2,
  '11.2': 3,
  '11.3': 3,
  '11.4': 4,
  '11.5': 1,
  '11.6': 1,
  '12.1': 3,
  '12.2': 2,
  '12.3': 4,
  '13.1': 1,
  '13.2': 5,
  '13.3': 2,
  '13.4': 5,
  '14.1': 2,
  '14.2': 4,
  '14.3': 3,
  '15.1': 3,
  '15.2': 3,
  '15.3': 7,
  '16.1': 1,
  '16.2': 5,
  '16.3': 4,
  '16.4': 3,
  '16.5': 3,
  '17.1': 1,
  '17.2': 4,
  '17.3': 2,
}

function listed(): string[] {
  return rows
    .flatMap(
      (row) =>
        /^\| ((?:\d+\.\d+\.\d+(?:–\d+\.\d+\.\d+)?(?:, )?)+)/.exec(row)?.[1]?.split(', ') ?? [],
    )
    .flatMap((part) => expand(part.trim()))
}

/** '1.4.1–1.4.3' is three. */
function expand(part: string): string[] {
  const [from = '', to = from] = part.split('–')
  const [section, first, last] = [
    from.replace(/\.\d+$/, ''),
    Number(from.split('.').at(-1)),
    Number(to.split('.').at(-1)),
  ]

  return Array.from({ length: last - first + 1 }, (_, index) => `${section}.${first + index}`)
}

describe('docs/security.md', () => {
  it('answers each requirement of ASVS level 2 once', () => {
    const wanted = Object.entries(requirements).flatMap(([section, numbers]) => {
      const all =
        typeof numbers === 'number'
          ? Array.from({ length: numbers }, (_, index) => index + 1)
          : numbers
      return all.map((number) => `${section}.${number}`)
    })

    expect(wanted).toHaveLength(253)
    expect(listed().toSorted()).toEqual(wanted.toSorted())
  })

  it('names files that exist', () => {
    const named = [
      ...text.matchAll(/`([\w@./-]+\.(?:tsx?|md|json|conf)|docs\/examples\/\w+)`/g),
    ].map(([, file = '']) => file)
    expect(named.length).toBeGreaterThan(150)

    const isThere = (file: string) =>
      existsSync(file) || existsSync(path.join('app/features/accounts', file))
    expect(named.filter((file) => !isThere(file))).toEqual([
      'DATA_DIR/secrets.json',
      'DATA_DIR/secrets/certificate-keys.json',
    ])
  })

  it.each(Object.entries(attemptLimits))('has the rate limit %s', (name, { max }) => {
    const row = rows.find((line) => line.includes(`\`${name}\``))
    expect(row).toMatch(new RegExp(`\\b${max}\\b`))
  })
})
