import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { formatCommand, type OptionValues, runCommand } from './operator-command.server'

const ran: { form: string; argumentValues: readonly string[]; values: OptionValues }[] = []
const run = (form: string) => (argumentValues: readonly string[], values: OptionValues) =>
  void ran.push({ form, argumentValues, values })
const command = {
  name: 'shelf',
  forms: [
    { name: 'list', argumentNames: [], description: 'show every book', run: run('list') },
    {
      name: 'add',
      argumentNames: ['TITLE', '[AUTHOR]'],
      options: {
        year: { value: 'YEAR', description: 'when it came out' },
        rare: { description: 'locked away' },
      },
      description: 'put a book on it',
      run: run('add'),
    },
  ],
  note: 'Books stay until they are removed.',
}

let printed = ''
beforeEach(() => {
  ran.length = 0
  printed = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text
    return true
  })
})
afterEach(() => {
  vi.restoreAllMocks()
})

describe('an operator’s command', () => {
  it('runs the requested form with its arguments and options', async () => {
    await runCommand(command, ['add', 'Emma', '--year', '1815', '--rare'])
    expect(ran).toEqual([
      { form: 'add', argumentValues: ['Emma', ''], values: { year: '1815', rare: true } },
    ])
  })

  it.each([
    ['--help'],
    ['help'],
    ['-h'],
    ['add', 'Emma', '--help'],
    ['add', '--help'],
    ['add', '-h'],
  ])('prints its help and runs nothing: %s %s %s', async (...args) => {
    await runCommand(command, args)

    expect(ran).toEqual([])
    expect(printed.split('\n')).toEqual([
      'Usage: npm run shelf -- list                                       show every book',
      '       npm run shelf -- add TITLE [AUTHOR] [--year YEAR] [--rare]  put a book on it',
      '  --year YEAR  when it came out',
      '  --rare       locked away',
      '',
      'Books stay until they are removed.',
      '',
    ])
  })

  it.each([
    [[], 'Say what to do.'],
    [['burn'], "There’s no 'shelf burn'."],
    [['add'], 'TITLE is missing.'],
    [['add', ''], 'TITLE is empty.'],
    [['list', 'Emma'], "'Emma' is one argument too many."],
    [['list', '--rare'], "Unknown option '--rare'."],
    [['add', 'Emma', '--year'], "Option '--year <value>' argument missing."],
  ])('refuses %j with a sentence and its help, and runs nothing', async (args, sentence) => {
    const result = runCommand(command, args)

    await expect(result).rejects.toMatchObject({ name: 'StartError' })
    await expect(result).rejects.toThrow(sentence)
    await expect(result).rejects.toThrow('\nUsage: npm run shelf -- list')
    expect(ran).toEqual([])
  })

  it('needs no subcommand if it has only one form', async () => {
    const commandWithOneForm = {
      name: 'scan',
      forms: [{ name: '', argumentNames: ['FOLDER'], description: 'look at it', run: run('') }],
    }
    await runCommand(commandWithOneForm, ['books'])

    expect(ran).toEqual([{ form: '', argumentValues: ['books'], values: {} }])
    await expect(runCommand(commandWithOneForm, ['books', 'more'])).rejects.toThrow(
      'Usage: npm run scan -- FOLDER  look at it',
    )
  })
})

it('a command is run with npm in a checkout, and with `learnify` in a release', () => {
  expect(formatCommand('mail', 'list', false)).toBe('npm run mail -- list')
  expect(formatCommand('settings', '', false)).toBe('npm run settings')
  expect(formatCommand('mail', 'list', true)).toBe('learnify mail list')
  expect(formatCommand('settings', '', true)).toBe('learnify settings')
})
