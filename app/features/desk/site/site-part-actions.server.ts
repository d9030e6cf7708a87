/**
 * Actions that change a part of the site, or undo a change.
 *
 * Each form contains the version that its page showed, so that an owner can't overwrite a change
 * that they haven't seen. After the commit, this process shows the change at once. Other processes
 * notice within a second.
 */
import type { Transaction } from '~/server/database/client.server'
import { env } from '~/server/env.server'
import { failure, type Result, success } from '~/server/result'
import { listOverridingSettings, refreshSite, siteCurrency } from '~/server/site/site.server'
import { findPageSlug, isSitePart, parseSiteValue, type SitePart } from '~/server/site/site-values'
import {
  createDeskAction,
  type DeskAction,
  type DeskChangeRequest,
  type DeskChangeResult,
  readText,
} from '../desk-form.server'
import { changeCurrencyOfPrices, lockCurrencyAndPayments } from './currency-change.server'
import { changeSite, findVersionValue, hasHistory, type SiteChange } from './site-changes.server'
import { missingPictureMessage } from './site-pictures.server'

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

/** Returns the version of the part that the form's page showed. */
export function readSeenVersion(request: DeskChangeRequest): Result<number> {
  const text = readText(request, 'seen')
  return /^\d{1,9}$/.test(text) ? success(Number(text)) : failure('Send the whole form.')
}

/**
 * Returns the action that changes a part of the site.
 *
 * @param readValueFromForm returns null for Learnify's own value
 */
export function createPartAction(
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
    const value = shouldReset ? null : parseSiteValue(part, submittedValue.value)
    if (value === null && !shouldReset) {
      return failure(invalidValueMessages[part])
    }

    return changePart(request, {
      part,
      value,
      seenVersion: seenVersion.value,
      ownerUid: request.staff.uid,
    })
  })
}

/**
 * Returns the action that changes a part of the site whose value is checked only against the rules
 * of the part.
 */
export function createSimplePartAction(
  part: SitePart,
  readValueFromForm: (request: DeskChangeRequest) => unknown,
) {
  return createPartAction(part, (request) => success(readValueFromForm(request)))
}

/**
 * Stores a change or an undo of any part. A new currency also applies to the prices of the courses.
 */
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
 * Returns an action that undoes changes: it stores the value of an earlier version as a new
 * version. Version 0 is Learnify's own.
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

    return changePart(request, {
      part,
      value: value.value,
      seenVersion: seenVersion.value,
      ownerUid: request.staff.uid,
    })
  })
}

async function findRestoredValue(
  transaction: Transaction,
  part: string,
  version: number,
): Promise<Result<unknown>> {
  return version === 0 ? success(null) : findVersionValue(transaction, part, version)
}

/** The undo actions. `restoreProven` is for sensitive parts, and needs a recent sign-in. */
export const restoreActions = {
  restore: createRestoreAction({ needsRecentSignIn: false }),
  restoreProven: createRestoreAction({ needsRecentSignIn: true }),
} satisfies Record<string, DeskAction>

/**
 * Returns the name of the action that undoes changes of a part, or null if they can't be undone.
 */
export function getRestoreIntent(part: string): 'restore' | 'restoreProven' | null {
  if (!hasHistory(part)) {
    return null
  }

  return sensitiveParts.includes(part) ? 'restoreProven' : 'restore'
}
