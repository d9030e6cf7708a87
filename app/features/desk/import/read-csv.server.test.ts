import { describe, expect, it } from 'vitest'
import { readCsv } from './read-csv.server'

const read = (text: string) => readCsv('class.csv', Buffer.from(text))

async function readLines(text: string) {
  const table = await read(text)
  if (!table.ok) {
    throw new Error(table.problem)
  }

  return table.value.lines
}

describe('readCsv', () => {
  it('keeps characters of several bytes wherever a long file is split', async () => {
    const name = '𠮷'.repeat(40_000)
    const lines = await readLines(
      `email,first_name\na@class.example,${name}\nb@class.example,x${name}`,
    )

    expect(lines.map(({ fields }) => fields.get('first_name'))).toEqual([name, `x${name}`])
  })

  it('refuses files with too many lines or columns', async () => {
    const lines = 'a,b\n'.repeat(200_001)
    expect(await read(`email,first_name\n${lines}`)).toMatchObject({
      problem: 'class.csv has more than 200,000 lines. Split it into several files.',
    })

    const columns = Array.from({ length: 1_001 }, (_, column) => `c${column}`).join(',')
    expect(await read(`${columns}\nAda`)).toMatchObject({
      problem: 'class.csv has more than 1,000 columns.',
    })
  })

  it('leaves out the empty fields at the end of a line', async () => {
    const lines = await readLines(
      'email,first_name,last_name\na@class.example,,\nb@class.example,,Byron',
    )
    expect(lines.map(({ fields }) => Object.fromEntries(fields))).toEqual([
      { email: 'a@class.example' },
      { email: 'b@class.example', first_name: '', last_name: 'Byron' },
    ])
  })
})
