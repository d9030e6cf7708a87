import { describe, expect, it } from 'vitest'
import { readCsv } from './read-csv.server'

const read = (text: string) => readCsv('class.csv', Buffer.from(text))

describe('a table of people', () => {
  it('keeps names of rare characters, wherever they are in a long file', async () => {
    const name = '𠮷'.repeat(40_000)
    const { lines } = await read(
      `email,first_name\na@class.example,${name}\nb@class.example,x${name}`,
    )
    expect(lines.map(({ fields }) => fields.first_name)).toEqual([name, `x${name}`])
  })

  it('has a limit of lines and of columns, which are found before all of it is in memory', async () => {
    const lines = 'a,b\n'.repeat(200_001)
    await expect(read(`email,first_name\n${lines}`)).rejects.toThrow(
      'class.csv has more than 200,000 lines.',
    )
    const columns = Array.from({ length: 1_001 }, (_, column) => `c${column}`).join(',')
    await expect(read(`${columns}\nAda`)).rejects.toThrow('class.csv has more than 1,000 columns.')
  })

  it('takes no memory for the fields that a line leaves out', async () => {
    const { lines } = await read(
      'email,first_name,last_name\na@class.example,,\nb@class.example,,Byron',
    )
    expect(lines.map(({ fields }) => fields)).toEqual([
      { email: 'a@class.example' },
      { email: 'b@class.example', first_name: '', last_name: 'Byron' },
    ])
  })
})
