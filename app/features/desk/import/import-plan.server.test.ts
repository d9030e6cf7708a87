import { expect, it } from 'vitest'
import { describeColumns } from './import-plan.server'
import { readCsv } from './read-csv.server'

it('columns with the names of properties that every object has can be empty', async () => {
  const file = 'email,constructor,__proto__\nada@class.example\n'
  const table = await readCsv('class.csv', Buffer.from(file))
  if (!table.ok) {
    throw new Error(table.problem)
  }

  expect(describeColumns(table.value)).toEqual([
    { name: 'email', meaning: 'email', example: 'ada@class.example' },
    { name: 'constructor', meaning: null, example: '' },
    { name: '__proto__', meaning: null, example: '' },
  ])
})
