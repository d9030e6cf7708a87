import { describe, expect, it } from 'vitest'
import { adminCommands } from './admin-commands.server'
import { helpText, readCommandLine } from './run-admin.server'

const read = (...args: string[]) => readCommandLine(adminCommands, args)

describe('the command line', () => {
  it('asks for help at each level', () => {
    expect([read(), read('--help'), read('learner'), read('learner', '--help')]).toEqual([
      { help: '' },
      { help: '' },
      { help: 'learner' },
      { help: 'learner' },
    ])

    expect(read('learner', 'disable', '--help')).toEqual({ help: 'learner disable' })
  })

  it('gives an act its arguments and options', () => {
    const line = read('audit', 'list', '--learner', 'ada', '--json', '--by', 'Grace Hopper')
    expect(line).toMatchObject({
      given: [],
      options: { learner: 'ada' },
      by: 'Grace Hopper',
      json: true,
    })

    expect(read('review', 'hide', 'chess', 'r1')).toMatchObject({
      given: ['chess', 'r1'],
      by: null,
      json: false,
    })
  })

  it.each([
    [['nothing'], "There’s no group 'nothing'."],
    [['learner', 'fly'], "There’s no act 'learner fly'."],
    [['learner', 'disable'], 'LEARNER is missing.'],
    [['learner', 'disable', ''], 'LEARNER is empty.'],
    [['review', 'hide', 'chess', 'r1', 'r2'], "'r2' is one argument too many."],
    [['learner', 'disable', 'ada', '--hard'], "Unknown option '--hard'."],
    [['learner', 'disable', 'ada', '--json'], "Unknown option '--json'."],
    [['audit', 'list', '--limit'], "Option '--limit <value>' argument missing."],
  ])('refuses %j with a sentence, and says where the help is', (args, sentence) => {
    expect(() => read(...args)).toThrow(sentence)
    expect(() => read(...args)).toThrow(/ See: npm run admin -- .*--help$/)
  })
})

describe('the help', () => {
  it('names every act with its arguments, and marks what the audit keeps', () => {
    const help = helpText(adminCommands, '')
    for (const { name, takes, effect, says } of adminCommands) {
      const line = help
        .split('\n')
        .find((one) => one.startsWith(`  ${[name, ...takes].join(' ')} `))
      expect(line, name).toContain(says)
      expect(line?.includes(`  * ${says}`), name).toBe(effect !== 'reads')
    }
  })

  it.each(adminCommands.map((act) => [act.name, act] as const))(
    'of %s explains every option',
    (name, act) => {
      const help = helpText(adminCommands, name)
      for (const option of [...Object.keys(act.options ?? {}), 'by', 'help']) {
        expect(help).toContain(`--${option}`)
      }

      expect(help.includes('--json')).toBe(act.effect === 'reads')
    },
  )
})
