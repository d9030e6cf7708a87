import { expect, it } from 'vitest'
import { recipientEmail } from './gift'

it.each([
  [' Ben@Example.com ', 'ben@example.com'],
  ['ben@bücher.example', 'ben@xn--bcher-kva.example'],
  ['BEN@BU\u0308CHER.example', 'ben@xn--bcher-kva.example'],
  ['ben@xn--bcher-kva.example', 'ben@xn--bcher-kva.example'],
])('a gift for %j goes to %s', (typed, email) => {
  expect(recipientEmail.parse(typed)).toBe(email)
})

it.each([
  '',
  'ben',
  'ben@',
  '@example.com',
  'ben@example',
  'ben@127.1',
  'ben@example.com/x',
  'ben@example.com:25',
  'ben@a.example,ida@b.example',
  'Ben <ben@example.com>',
])('a gift can’t go to %j', (typed) => {
  expect(recipientEmail.safeParse(typed).success).toBe(false)
})
