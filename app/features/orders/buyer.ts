import * as z from 'zod'

const line = (max: number) => z.string().trim().max(max, `At most ${max} characters, please.`).default('')

/** The checkout's form. Everything in it may stay empty; the account gives name and address of email. */
export const buyerForm = z.object({
  company: line(200),
  address: line(500),
  vatNumber: line(50),
  country: z
    .string()
    .regex(/^([A-Z]{2})?$/, 'Please choose a country.')
    .default(''),
})
