import { expect, test } from 'vitest'
import { z } from 'zod'
import { fieldErrorsResponse } from './form-response.server'

const nicknameForm = z
  .object({
    nickname: z
      .string()
      .min(3, 'Use at least 3 characters.')
      .regex(/^[a-z]/, 'Begin with a letter.'),
    email: z.email('Enter an email address.'),
  })
  .refine(() => false, { error: 'Something is wrong.', when: () => true })

test('each wrong field gets its first message, and the form the one that is about no field', () => {
  const form = new FormData()
  form.set('nickname', '1')
  const { error } = nicknameForm.safeParse(Object.fromEntries(form))

  const { data } = fieldErrorsResponse(error ?? { issues: [] }, form)

  expect(data.errors).toEqual({
    nickname: 'Use at least 3 characters.',
    email: 'Enter an email address.',
    form: 'Something is wrong.',
  })
})
