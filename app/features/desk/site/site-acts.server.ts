import type { Transaction } from '~/server/database/client.server'
import { env, StartError } from '~/server/env.server'
import {
  accentContrast,
  leastContrast,
  nearestPassing,
  passes,
  type Scheme,
} from '~/server/site/accent'
import { settingsInPlaceOf, siteCurrency } from '~/server/site/site.server'
import {
  footerLimits,
  isSitePart,
  readValue,
  type SitePart,
  slugOf,
} from '~/server/site/site-values'
import type { DeskAction, DeskActionRequest } from '../desk-form.server'
import { changePricesTo } from './currency-change.server'
import { changeSite, findValue, type SiteChange } from './site-changes.server'
import { type PictureKind, storePicture } from './site-pictures.server'
import { testMailAct } from './test-mail.server'

export const textOf = (form: FormData, name: string) => String(form.get(name) ?? '').trim()

/**
 * @returns the version that the form's page showed.
 * @throws {StartError} if the field is missing.
 */
export function seenIn(form: FormData): number {
  const text = textOf(form, 'seen')
  if (!/^\d{1,9}$/.test(text)) {
    throw new StartError('Send the whole form.')
  }

  return Number(text)
}

const choosePicture = 'Choose a picture.'

/** The sentence for a refused value. */
const rules: Record<SitePart, string> = {
  name: 'Write a name of at most 60 characters, without < and >.',
  description: 'Write a description of at most 200 characters, on one line.',
  accent: 'Write a color like #5140e0.',
  logo: choosePicture,
  logoDark: choosePicture,
  icon: choosePicture,
  sharePicture: choosePicture,
  seller:
    'Write the seller’s name of at most 120 characters, an address of at most 500, and a tax number of at most 60.',
  currency: 'Choose a currency.',
  sender: 'Write a name without quotes, and an email address.',
  home: 'Choose what Home shows.',
  footer:
    'Each column needs a heading, and each link its words and an address like /Pages/about or https://school.example. No two links of a column may have the same words.',
}

/**
 * Changing these asks for a recent sign-in: they are about money, or the sender that learners
 * trust.
 */
const sensitiveParts: readonly string[] = ['seller', 'currency', 'sender'] satisfies SitePart[]

/** @param read reads the value from the form; null is Learnify's own. */
function change(
  part: SitePart,
  read: (form: FormData, transaction: Transaction) => unknown,
): DeskAction {
  return {
    name: 'site change',
    permission: 'run the site',
    isSensitive: sensitiveParts.includes(part),
    async run({ transaction, form, staff, now }) {
      const seen = seenIn(form)
      const value = requireValue(part, await read(form, transaction))
      return changePart(transaction, { part, value, seen, by: staff.uid }, now)
    },
  }
}

/** Applies a change or an undo to any part. */
async function changePart(transaction: Transaction, change: SiteChange, now: Date) {
  const { part } = change
  const [setting] = isSitePart(part) ? settingsInPlaceOf(part) : []
  if (setting) {
    throw new StartError(`The operator has set ${setting}, so it can’t be changed here.`)
  }

  const former = siteCurrency()
  const changed = await changeSite(transaction, change)
  if (part === 'currency') {
    await changePricesTo(transaction, former, String(change.value ?? env.CURRENCY), now)
  }

  return changed
}

function requireValue(part: SitePart, typed: unknown): unknown {
  if (typed === null) {
    return null
  }

  const value = readValue(part, typed)
  if (value === null) {
    throw new StartError(rules[part])
  }

  return value
}

/** @param kind selects the size and format that are stored. */
function changePicture(part: SitePart, kind: PictureKind): DeskAction {
  return change(part, async (form, transaction) => {
    if (form.get('remove') === 'on') {
      return null
    }

    const stored = await storePicture(transaction, kind, form.get('picture'))
    if (!stored) {
      throw new StartError(choosePicture)
    }

    return stored
  })
}

/** Stores the value of an earlier version as a new version. Version 0 is Learnify's own. */
async function restore({ transaction, form, staff, now }: DeskActionRequest, isProven: boolean) {
  const part = textOf(form, 'part')
  const version = textOf(form, 'version')
  if ((!isSitePart(part) && !slugOf(part)) || !/^\d{1,9}$/.test(version)) {
    throw new StartError('There is no such version.')
  }

  if (sensitiveParts.includes(part) !== isProven) {
    throw new StartError('There is no such version.')
  }

  const value = version === '0' ? null : await findValue(transaction, part, Number(version))

  return changePart(transaction, { part, value, seen: seenIn(form), by: staff.uid }, now)
}

const schemeTexts: Record<Scheme, string> = { light: 'light', dark: 'dark' }

/**
 * @throws {StartError} that suggests the nearest readable color, unless the form asks to take it.
 */
function readAccent(form: FormData) {
  const light = textOf(form, 'light').toLowerCase()
  if (light === '') {
    return null
  }

  const given = { light, dark: textOf(form, 'dark').toLowerCase() || nearestOf(light, 'dark') }
  if (readValue('accent', given) === null) {
    throw new StartError(rules.accent)
  }

  const schemes = (['light', 'dark'] as const).filter((scheme) => !passes(given[scheme], scheme))
  if (schemes.length > 0 && form.get('nearest') !== 'on') {
    throw new StartError(schemes.map((scheme) => contrastProblem(given[scheme], scheme)).join(' '))
  }

  return { light: nearestPassing(given.light, 'light'), dark: nearestPassing(given.dark, 'dark') }
}

const nearestOf = (color: string, scheme: Scheme) =>
  /^#[0-9a-f]{6}$/.test(color) ? nearestPassing(color, scheme) : color

function contrastProblem(color: string, scheme: Scheme): string {
  const contrast = accentContrast(color, scheme).toFixed(1)
  return `In the ${schemeTexts[scheme]} theme, ${color} has a contrast of ${contrast}:1, and text needs ${leastContrast}:1. ${nearestPassing(color, scheme)} would pass.`
}

/**
 * Reads the columns, with links in the chosen order and without empty rows.
 *
 * @returns null if all are empty.
 */
function readFooter(form: FormData) {
  const columns = Array.from({ length: footerLimits.columns }, (_, column) => ({
    title: textOf(form, `title-${column}`),
    links: Array.from({ length: footerLimits.links }, (_, row) => ({
      label: textOf(form, `label-${column}-${row}`),
      to: wholeAddress(textOf(form, `to-${column}-${row}`)),
      order: orderOf(row, textOf(form, `place-${column}-${row}`)),
    }))
      .toSorted((one, other) => one.order - other.order)
      .map(({ label, to }) => ({ label, to }))
      .filter(({ label, to }) => label || to),
  }))
  const filled = columns.filter(({ title, links }) => title || links.length > 0)
  return filled.length > 0 ? filled : null
}

/**
 * A row that moves up goes before the row at its new place, and a row that moves down goes after
 * it.
 *
 * @param place counts from 1.
 */
function orderOf(row: number, place: string): number {
  const wanted = /^\d$/.test(place) ? Number(place) - 1 : row
  return wanted + Math.sign(wanted - row) / 2
}

/** Completes addresses that are typed like 'school.example'. */
const wholeAddress = (text: string) =>
  /^[\w-]+(\.[\w-]+)+(\/|$)/.test(text) ? `https://${text}` : text

const restoring = (isSensitive: boolean): DeskAction => ({
  name: 'site restore',
  permission: 'run the site',
  isSensitive,
  run: (call) => restore(call, isSensitive),
})

/** The undo. `restoreProven` is for the sensitive parts, and asks for a recent sign-in. */
export const restoreActs = {
  restore: restoring(false),
  restoreProven: restoring(true),
} satisfies Record<string, DeskAction>

export const restoreActOf = (part: string) =>
  sensitiveParts.includes(part) ? 'restoreProven' : 'restore'

export const siteActs = {
  name: change('name', (form) => textOf(form, 'name') || null),
  description: change('description', (form) => textOf(form, 'description') || null),
  accent: change('accent', readAccent),
  logo: changePicture('logo', 'logo'),
  logoDark: changePicture('logoDark', 'logo'),
  icon: changePicture('icon', 'icon'),
  sharePicture: changePicture('sharePicture', 'share'),
  footer: change('footer', readFooter),
  seller: change('seller', (form) => ({
    name: textOf(form, 'name'),
    address: textOf(form, 'address').replaceAll('\r\n', '\n'),
    taxId: textOf(form, 'taxId'),
  })),
  currency: change('currency', (form) => textOf(form, 'currency')),
  sender: change('sender', (form) => ({
    name: textOf(form, 'name'),
    address: textOf(form, 'address'),
  })),
  home: change('home', (form) => ({
    numbers: textOf(form, 'numbers'),
    testimonials: textOf(form, 'testimonials'),
  })),
  testMail: testMailAct,
  ...restoreActs,
} satisfies Record<string, DeskAction>
