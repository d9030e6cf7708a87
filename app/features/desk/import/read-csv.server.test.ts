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

describe('a table of people', () => {
  it('keeps names of rare characters, wherever they are in a long file', async () => {
    const name = '𠮷'.repeat(40_000)
    const lines = await readLines(
      `email,first_name\na@class.example,${name}\nb@class.example,x${name}`,
    )
    expect(lines.map(({ fields }) => fields.first_name)).toEqual([name, `x${name}`])
  })

  it('has a limit of lines and of columns, which are found before all of it is in memory', async () => {
    const lines = 'a,b\n'.repeat(200_001)
    expect(await read(`email,first_name\n${lines}`)).toMatchObject({
      problem: 'class.csv has more than 200,000 lines. Split it into several files.',
    })
    const columns = Array.from({ length: 1_001 }, (_, column) => `c${column}`).join(',')
    expect(await read(`${columns}\nAda`)).toMatchObject({
      problem: 'class.csv has more than 1,000 columns.',
    })
  })

  it('takes no memory for the fields that a line leaves out', async () => {
    const lines = await readLines(
      'email,first_name,last_name\na@class.example,,\nb@class.example,,Byron',
    )
    expect(lines.map(({ fields }) => fields)).toEqual([
      { email: 'a@class.example' },
      { email: 'b@class.example', first_name: '', last_name: 'Byron' },
    ])
  })
})
