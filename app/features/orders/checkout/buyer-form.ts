import * as z from 'zod'

const line = (max: number) =>
  z.string().trim().max(max, `At most ${max} characters, please.`).default('')

/** What a learner chooses whose country has no tax rate of its own. */
export const otherCountry = 'other'

/**
 * The checkout's form; the account gives name and address of email. Only the country is required,
 * where it is asked for.
 *
 * @param countries to choose from, if the tax differs by country.
 */
export function buyerForm(countries: readonly string[]) {
  const chosen = z.enum([...countries, otherCountry], 'Please choose a country.')
  return z.object({
    company: line(200),
    address: line(500),
    vatNumber: line(50),
    country:
      countries.length > 0
        ? chosen.transform((country) => (country === otherCountry ? '' : country))
        : z
            .string()
            .default('')
            .transform(() => ''),
  })
}
