/**
 * What an owner can change about the site: each part of it, the undo of a change, and a test email.
 *
 * Each form contains the version that its page showed, so that an owner can't overwrite a change
 * that they haven't seen. After the commit, this process shows the change at once. Other processes
 * notice within a second.
 */
import { restoreWithdrawnCourses, withdrawCourses } from '~/features/catalog/course-actions.server'
import { listSampleCourses } from '~/features/courses/sample-courses.server'
import { findKnownTimeZone } from '~/features/school/known-time-zones.server'
import type { Transaction } from '~/server/database/client.server'
import { env } from '~/server/env.server'
import { failure, type Result, success } from '~/server/result'
import {
  findReadableAccent,
  getAccentContrast,
  isReadableAccent,
  minContrast,
  type Scheme,
} from '~/server/site/accent'
import { listOverridingSettings, refreshSite, siteCurrency } from '~/server/site/site.server'
import {
  findPageSlug,
  footerLimits,
  isSitePart,
  readValue,
  type SitePart,
} from '~/server/site/site-values'
import {
  createDeskAction,
  type DeskAction,
  type DeskChangeRequest,
  type DeskChangeResult,
  type DeskFormRequest,
  readText,
} from '../desk-form.server'
import { changeCurrencyOfPrices, lockCurrencyAndPayments } from './currency-change.server'
import {
  readCategoryCards,
  readFeatures,
  readHero,
  readTestimonials,
} from './home-text-forms.server'
import { checkSubmittedKey, readPayments } from './payment-values.server'
import { readRefundPeriod, readTaxRates, readWaiver } from './sale-rule-values.server'
import { changeSite, findValue, hasLatestVersionOnly, type SiteChange } from './site-changes.server'
import { missingPictureMessage, type PictureKind, storePicture } from './site-pictures.server'
import { testMailAction } from './test-mail.server'

/** The message for a value of each part that does not follow the part's rules. */
export const invalidValueMessages: Record<SitePart, string> = {
  name: 'Write a name of at most 60 characters, without < and >.',
  description: 'Write a description of at most 200 characters, on one line.',
  accent: 'Write a color like #5140e0.',
  logo: missingPictureMessage,
  logoDark: missingPictureMessage,
  icon: missingPictureMessage,
  sharePicture: missingPictureMessage,
  seller:
    'Write the seller’s name of at most 120 characters, an address of at most 500, and a tax number of at most 60.',
  currency: 'Choose a currency.',
  payments: 'Choose how courses are paid for.',
  timeZone: 'Choose a time zone.',
  setup: 'Answer or skip the questions.',
  taxRates: 'Write a country and a percentage in each row.',
  withdrawalDays: 'Write a number of days.',
  refundDays: 'Write a number of days.',
  waiver: 'Choose whether checkout shows the box.',
  sender: 'Write a name without quotes, and an email address.',
  home: 'Choose what Home shows.',
  hero: 'Write a headline of at most 120 characters, and a text of at most 300.',
  features:
    'Write a headline of at most 80 characters. Each card needs a title of at most 60 characters and a text of at most 300.',
  categoryCards:
    'Write a headline of at most 80 characters, a text of at most 300, and names of at most 40.',
  testimonials:
    'Each testimonial needs a text of at most 600 characters, a name, a role and a number of stars.',
  certificateNames: 'Choose who corrects names.',
  footer:
    'Each column needs a heading, and each link its words and an address like /Pages/about or https://school.example. No two links of a column may have the same words.',
}

/**
 * Changing these parts requires a recent sign-in, because they are about money or the sender that
 * learners trust.
 */
const sensitiveParts: readonly string[] = [
  'seller',
  'currency',
  'payments',
  'taxRates',
  'withdrawalDays',
  'refundDays',
  'waiver',
  'sender',
] satisfies SitePart[]

/** Returns a desk action that changes the site and then shows the change. */
export function createSiteAction(
  { name, needsRecentSignIn }: { name: string; needsRecentSignIn: boolean },
  change: (request: DeskChangeRequest) => Promise<Result<DeskChangeResult>>,
): DeskAction {
  const action = createDeskAction({ name, permission: 'manage site', needsRecentSignIn }, change)

  return {
    ...action,
    async perform(request) {
      const result = await action.perform(request)
      if (result.ok) {
        await refreshSite(request.db)
      }

      return result
    },
  }
}

/** Returns the version that the form's page showed. */
export function readSeenVersion(request: DeskChangeRequest): Result<number> {
  const text = readText(request, 'seen')
  return /^\d{1,9}$/.test(text) ? success(Number(text)) : failure('Send the whole form.')
}

/**
 * Returns the action that changes a part of the site.
 *
 * @param readValueFromForm returns null for Learnify's own value
 */
function createPartAction(
  part: SitePart,
  readValueFromForm: (request: DeskChangeRequest) => Promise<Result<unknown>> | Result<unknown>,
): DeskAction {
  const needsRecentSignIn = sensitiveParts.includes(part)

  return createSiteAction({ name: 'site change', needsRecentSignIn }, async (request) => {
    const seenVersion = readSeenVersion(request)
    if (!seenVersion.ok) {
      return seenVersion
    }

    const submittedValue = await readValueFromForm(request)
    if (!submittedValue.ok) {
      return submittedValue
    }

    const shouldReset = submittedValue.value === null
    const value = shouldReset ? null : readValue(part, submittedValue.value)
    if (value === null && !shouldReset) {
      return failure(invalidValueMessages[part])
    }

    const by = request.staff.uid
    return changePart(request, { part, value, seenVersion: seenVersion.value, by })
  })
}

/** Like `createPartAction`, for a value that is checked only against the rules of its part. */
function createSimplePartAction(
  part: SitePart,
  readValueFromForm: (request: DeskChangeRequest) => unknown,
) {
  return createPartAction(part, (request) => success(readValueFromForm(request)))
}

/** Applies a change or an undo to any part. */
export async function changePart(
  request: DeskChangeRequest,
  change: SiteChange,
): Promise<Result<DeskChangeResult>> {
  const { part } = change
  const [overridingSetting] = isSitePart(part) ? listOverridingSettings(part) : []
  if (overridingSetting) {
    return failure(`The operator has set ${overridingSetting}, so it can’t be changed here.`)
  }

  const { transaction, now } = request
  if (part === 'currency') {
    await lockCurrencyAndPayments(request)
  }

  const previousCurrency = siteCurrency()
  const result = await changeSite(transaction, change)
  if (!result.ok || part !== 'currency') {
    return result
  }

  const currency = String(change.value ?? env.CURRENCY)
  const prices = await changeCurrencyOfPrices(transaction, { previousCurrency, currency }, now)
  return prices.ok ? result : prices
}

/**
 * Returns the action that replaces or removes a picture.
 *
 * @param kind selects the size and format that are stored
 */
function createPictureAction(part: SitePart, kind: PictureKind): DeskAction {
  return createPartAction(part, async ({ form, transaction }) => {
    if (form.get('remove') === 'on') {
      return success(null)
    }

    return storePicture(transaction, kind, form.get('picture'))
  })
}

/**
 * Returns an action that undoes changes: it stores the value of an earlier version as a new version.
 * Version 0 is Learnify's own.
 */
function createRestoreAction({ needsRecentSignIn }: { needsRecentSignIn: boolean }): DeskAction {
  return createSiteAction({ name: 'site restore', needsRecentSignIn }, async (request) => {
    const part = readText(request, 'part')
    const version = readText(request, 'version')
    const isPart = isSitePart(part) || findPageSlug(part) !== null
    const isVersion = /^\d{1,9}$/.test(version)
    // Otherwise the action that needs no recent sign-in could restore a sensitive part.
    const intent = needsRecentSignIn ? 'restoreProven' : 'restore'
    const isActionForPart = getRestoreIntent(part) === intent
    if (!isPart || !isVersion || !isActionForPart) {
      return failure('There is no such version.')
    }

    const value = await findRestoredValue(request.transaction, part, Number(version))
    if (!value.ok) {
      return value
    }

    const seenVersion = readSeenVersion(request)
    if (!seenVersion.ok) {
      return seenVersion
    }

    const by = request.staff.uid
    return changePart(request, { part, value: value.value, seenVersion: seenVersion.value, by })
  })
}

async function findRestoredValue(
  transaction: Transaction,
  part: string,
  version: number,
): Promise<Result<unknown>> {
  return version === 0 ? success(null) : findValue(transaction, part, version)
}

const schemes: readonly Scheme[] = ['light', 'dark']

/** Fails and suggests the nearest readable color, unless the form asks to take it. */
function readAccent(request: DeskChangeRequest): Result<unknown> {
  const light = readText(request, 'light').toLowerCase()
  if (light === '') {
    return success(null)
  }

  const chosenDark = readText(request, 'dark').toLowerCase()
  const dark = chosenDark || findReadableColor(light, 'dark')
  const colors = { light, dark }
  if (readValue('accent', colors) === null) {
    return failure(invalidValueMessages.accent)
  }

  const unreadableSchemes = schemes.filter((scheme) => !isReadableAccent(colors[scheme], scheme))
  const shouldTakeNearest = request.form.get('nearest') === 'on'
  if (unreadableSchemes.length > 0 && !shouldTakeNearest) {
    const problems = unreadableSchemes.map((scheme) =>
      describeContrastProblem(colors[scheme], scheme),
    )
    return failure(problems.join(' '))
  }

  return success({
    light: findReadableAccent(light, 'light'),
    dark: findReadableAccent(dark, 'dark'),
    isDarkCalculated: chosenDark === '',
  })
}

/** Returns the nearest readable color. A text that is no color is returned unchanged. */
function findReadableColor(color: string, scheme: Scheme): string {
  return /^#[0-9a-f]{6}$/.test(color) ? findReadableAccent(color, scheme) : color
}

function describeContrastProblem(color: string, scheme: Scheme): string {
  const contrast = getAccentContrast(color, scheme).toFixed(1)
  const readableColor = findReadableAccent(color, scheme)

  return `In the ${scheme} theme, ${color} has a contrast of ${contrast}:1, and text needs ${minContrast}:1. ${readableColor} would pass.`
}

type FooterLink = { label: string; to: string }
type FooterColumn = { title: string; links: FooterLink[] }

/**
 * Reads the footer's columns, with links in the chosen order and without empty rows. Returns null
 * if all columns are empty.
 */
function readFooter(request: DeskChangeRequest): FooterColumn[] | null {
  const columns = Array.from({ length: footerLimits.columns }, (_, column) => ({
    title: readText(request, `title-${column}`),
    links: readFooterLinks(request, column),
  }))
  const filledColumns = columns.filter(({ title, links }) => title || links.length > 0)

  return filledColumns.length > 0 ? filledColumns : null
}

function readFooterLinks(request: DeskChangeRequest, column: number): FooterLink[] {
  const rows = Array.from({ length: footerLimits.links }, (_, row) => ({
    label: readText(request, `label-${column}-${row}`),
    to: completeUrl(readText(request, `to-${column}-${row}`)),
    sortKey: getSortKey(row, readText(request, `place-${column}-${row}`)),
  }))

  return rows
    .toSorted((first, second) => first.sortKey - second.sortKey)
    .map(({ label, to }) => ({ label, to }))
    .filter(({ label, to }) => label || to)
}

/**
 * Returns the number by which the row of a link is sorted. A row that moves up goes before the row
 * at its new place, and a row that moves down goes after it.
 *
 * @param place the chosen place, counted from 1; a text that is no digit keeps the row's place
 */
function getSortKey(row: number, place: string): number {
  const newRow = /^\d$/.test(place) ? Number(place) - 1 : row
  return newRow + Math.sign(newRow - row) / 2
}

/** Adds the scheme to a URL such as 'school.example'. */
function completeUrl(text: string): string {
  return /^[\w-]+(\.[\w-]+)+(\/|$)/.test(text) ? `https://${text}` : text
}

const savePayments = createPartAction('payments', readPayments)

/** Saves the payments, unless Stripe refuses the key. A key that can't be checked now is saved. */
async function checkAndSavePayments(request: DeskFormRequest): ReturnType<DeskAction['perform']> {
  const isOverridden = listOverridingSettings('payments').length > 0
  const keyStatus = isOverridden ? null : await checkSubmittedKey(request)
  if (keyStatus === 'refused') {
    return failure(
      'Stripe refuses this key. It is mistyped or revoked, or it may not open payment pages.',
      'secretKey',
    )
  }

  const result = await savePayments.perform(request)
  if (!result.ok || keyStatus !== 'unreachable') {
    return result
  }

  const outcome = `${result.value.outcome} Stripe can’t be reached right now, so the key was not checked.`
  return success({ ...result.value, outcome })
}

/** Returns the action that changes all sample courses. */
function createSampleCoursesAction(changeCourses: typeof withdrawCourses): DeskAction {
  return {
    permission: 'manage site',
    needsRecentSignIn: false,
    async perform(request) {
      const { db, actionContext } = request
      if (readText(request, 'sure') !== 'on') {
        return failure('Send the whole form.')
      }

      const sampleCourses = await listSampleCourses(db)
      return changeCourses(
        actionContext,
        sampleCourses.map(({ id }) => id),
      )
    },
  }
}

/** The undo actions. `restoreProven` is for sensitive parts, and needs a recent sign-in. */
export const restoreActions = {
  restore: createRestoreAction({ needsRecentSignIn: false }),
  restoreProven: createRestoreAction({ needsRecentSignIn: true }),
} satisfies Record<string, DeskAction>

/** Returns the name of the action that undoes changes of a part, or null if they can't be undone. */
export function getRestoreIntent(part: string): 'restore' | 'restoreProven' | null {
  if (hasLatestVersionOnly(part)) {
    return null
  }

  return sensitiveParts.includes(part) ? 'restoreProven' : 'restore'
}

/** The actions of the site page. */
export const siteActions = {
  name: createSimplePartAction('name', (request) => readText(request, 'name') || null),
  description: createSimplePartAction(
    'description',
    (request) => readText(request, 'description') || null,
  ),
  accent: createPartAction('accent', readAccent),
  logo: createPictureAction('logo', 'logo'),
  logoDark: createPictureAction('logoDark', 'logo'),
  icon: createPictureAction('icon', 'icon'),
  sharePicture: createPictureAction('sharePicture', 'share'),
  footer: createSimplePartAction('footer', readFooter),
  seller: createSimplePartAction('seller', (request) => ({
    name: readText(request, 'name'),
    address: readText(request, 'address').replaceAll('\r\n', '\n'),
    taxId: readText(request, 'taxId'),
  })),
  currency: createSimplePartAction('currency', (request) => readText(request, 'currency')),
  payments: { ...savePayments, perform: checkAndSavePayments },
  timeZone: createPartAction('timeZone', async (request) => {
    const timeZone = await findKnownTimeZone(request.transaction, readText(request, 'timeZone'))
    return timeZone === null ? failure(invalidValueMessages.timeZone) : success(timeZone)
  }),
  taxRates: createPartAction('taxRates', readTaxRates),
  withdrawalDays: createPartAction('withdrawalDays', readRefundPeriod),
  refundDays: createPartAction('refundDays', readRefundPeriod),
  waiver: createPartAction('waiver', readWaiver),
  sender: createSimplePartAction('sender', (request) => ({
    name: readText(request, 'name'),
    address: readText(request, 'address'),
  })),
  home: createSimplePartAction('home', (request) => ({
    numbers: readText(request, 'numbers'),
    testimonials: readText(request, 'testimonials'),
  })),
  hero: createSimplePartAction('hero', readHero),
  features: createSimplePartAction('features', readFeatures),
  categoryCards: createPartAction('categoryCards', async (request) => {
    const categoryCards = await readCategoryCards(request)
    return categoryCards === undefined
      ? failure('A category was removed. Choose where its card leads.')
      : success(categoryCards)
  }),
  testimonials: createSimplePartAction('testimonials', readTestimonials),
  certificateNames: createSimplePartAction('certificateNames', (request) =>
    readText(request, 'certificateNames'),
  ),
  withdrawSamples: createSampleCoursesAction(withdrawCourses),
  restoreSamples: createSampleCoursesAction(restoreWithdrawnCourses),
  testMail: testMailAction,
  ...restoreActions,
} satisfies Record<string, DeskAction>
