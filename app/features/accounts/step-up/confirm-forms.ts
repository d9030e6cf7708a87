import * as z from 'zod/mini'
import { passwordLength } from '../account-rules'
import { fieldMessages } from '../form/form-messages'
import { codeForm } from '../two-factor/two-factor-texts'

/** What a learner enters to prove their identity. */
export type Proof = 'password' | 'code' | 'mailed-code'

export const confirmTexts = {
  title: 'Confirm it’s you',
  intro:
    'This keeps your account safe if someone else uses your browser. We won’t ask again for 15 minutes.',
  appHint: 'From your authenticator app, or one of your recovery codes.',
  codeHint: 'We send it to your email address. It works for 15 minutes.',
  codeSent: 'We’ve sent you an email with the code.',
} as const

/** The form of each proof, which has a single field. */
export const confirmForms = {
  password: z.object({
    password: z.pipe(
      z.catch(z.string(), ''),
      z
        .string()
        .check(
          z.minLength(1, fieldMessages.password.required),
          z.maxLength(passwordLength.max, fieldMessages.password.tooLong),
        ),
    ),
  }),
  code: codeForm,
  'mailed-code': codeForm,
} as const satisfies Record<Proof, unknown>
