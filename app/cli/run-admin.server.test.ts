import { describe, expect, it } from 'vitest'
import { adminCommands } from './admin-commands.server'
import { formatAdminHelp } from './admin-help.server'
import { readCommandLine } from './run-admin.server'

const read = (...args: string[]) => readCommandLine(adminCommands, args)

describe('the command line', () => {
  it('asks for help at each level', () => {
    expect([read(), read('--help'), read('account'), read('account', '--help')]).toEqual([
      { help: '' },
      { help: '' },
      { help: 'account' },
      { help: 'account' },
    ])

    expect(read('account', 'disable', '--help')).toEqual({ help: 'account disable' })
  })

  it('passes arguments and options to a command', () => {
    const line = read(
      'staff',
      'give',
      'ada',
      'teacher',
      '--courses',
      'chess',
      '--by',
      'Grace Hopper',
    )

    expect(line).toMatchObject({
      argumentValues: ['ada', 'teacher'],
      options: { courses: 'chess' },
      by: 'Grace Hopper',
      json: false,
    })

    expect(read('orders', 'check', '--json')).toMatchObject({
      argumentValues: [],
      by: null,
      json: true,
    })
  })

  it.each([
    [['nothing'], "There’s no group 'nothing'."],
    [['account', 'fly'], "There’s no act 'account fly'."],
    [['account', 'disable'], 'LEARNER is missing.'],
    [['account', 'disable', ''], 'LEARNER is empty.'],
    [['staff', 'take', 'ada', 'eve'], "'eve' is one argument too many."],
    [['account', 'disable', 'ada', '--hard'], "Unknown option '--hard'."],
    [['account', 'disable', 'ada', '--json'], "Unknown option '--json'."],
    [['two-step', 'off', 'ada', '--reason'], "Option '--reason <value>' argument missing."],
  ])('refuses %j with a sentence, and says where the help is', (args, sentence) => {
    expect(() => read(...args)).toThrow(sentence)
    expect(() => read(...args)).toThrow(/ See: npm run admin -- .*--help$/)
  })
})

describe('the help', () => {
  it('offers standard output only for commands that write there', () => {
    expect(formatAdminHelp(adminCommands, 'people export')).toContain('- is standard output.')
    expect(formatAdminHelp(adminCommands, 'people import')).not.toContain('standard output')
  })

  it('names every command with its arguments, and marks audited ones', () => {
    const help = formatAdminHelp(adminCommands, '')
    for (const { name, argumentNames, effect, description } of adminCommands) {
      const line = help
        .split('\n')
        .find((one) => one.startsWith(`  ${[name, ...argumentNames].join(' ')} `))
      expect(line, name).toContain(description)
      expect(line?.includes(`  * ${description}`), name).toBe(effect !== 'reads')
    }
  })

  it.each(adminCommands.map((act) => [act.name, act] as const))(
    'of %s explains every option',
    (name, act) => {
      const help = formatAdminHelp(adminCommands, name)
      for (const option of [...Object.keys(act.options ?? {}), 'by', 'help']) {
        expect(help).toContain(`--${option}`)
      }

      expect(help.includes('--json')).toBe(act.effect === 'reads')
    },
  )
})
