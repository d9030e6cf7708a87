import * as z from 'zod/mini'
import { passwordLength } from '../account-rules'
import { fieldMessages } from '../form/form-messages'
import { codeForm } from '../two-factor/two-factor-texts'

/** What a learner types to prove that it's them. */
export type Proof = 'password' | 'code' | 'mailed-code'

export const confirmTexts = {
  title: 'Confirm it’s you',
  intro:
    'This keeps your account safe if someone else uses your browser. We won’t ask again for 15 minutes.',
  appHint: 'From your authenticator app, or one of your recovery codes.',
  codeHint: 'We send it to your email address. It works for 15 minutes.',
  codeSent: 'We’ve sent you an email with the code.',
} as const

const required = (message: string, longest: number, tooLong: string) =>
  z.pipe(
    z.catch(z.string(), ''),
    z.string().check(z.minLength(1, message), z.maxLength(longest, tooLong)),
  )

/** The field of each proof. */
export const confirmForms = {
  password: z.object({
    password: required(
      fieldMessages.password.required,
      passwordLength.max,
      fieldMessages.password.tooLong,
    ),
  }),
  code: codeForm,
  'mailed-code': codeForm,
} as const satisfies Record<Proof, unknown>
