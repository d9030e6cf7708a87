/**
 * The form of the owner's first visit: the school's name, currency and time zone, and whether the
 * site shows the sample courses.
 *
 * The page Today shows the form until an owner submits or skips it. A school that somebody has set
 * up in another way never shows it. Everything can be changed later under Site.
 */
import { withdrawCourses } from '~/features/catalog/course-actions.server'
import { hasOwnCourse, listSampleCourses } from '~/features/courses/sample-courses.server'
import { findSupportedTimeZone, listTimeZones } from '~/features/school/supported-time-zones.server'
import { hasPermission } from '~/features/staff/permissions'
import type { Statements } from '~/server/database/client.server'
import type { Changes } from '~/server/database/schema'
import { isSet } from '~/server/env.server'
import { failure, type Result, success } from '~/server/result'
import {
  currentSite,
  refreshSite,
  siteCurrency,
  siteName,
  siteTimeZone,
} from '~/server/site/site.server'
import { parseSiteValue, type SitePart } from '~/server/site/site-values'
import {
  type DeskAction,
  type DeskActionResult,
  type DeskChangeRequest,
  type DeskChangeResult,
  type DeskFormRequest,
  readText,
} from '../desk-form.server'
import type { DeskRequest } from '../desk-request.server'
import { hasOrder } from '../site/currency-change.server'
import { findLatestVersion } from '../site/site-changes.server'
import {
  changePart,
  createSiteAction,
  invalidValueMessages,
} from '../site/site-part-actions.server'

export type SchoolSetup = NonNullable<Awaited<ReturnType<typeof loadSchoolSetup>>>

/** Loads the form. Returns null for others than owners, and for a school that is set up. */
export async function loadSchoolSetup({ db, staff, timeZone }: DeskRequest) {
  if (!hasPermission(staff, 'manage site')) {
    return null
  }

  // Another process may have stored the form within the last second.
  await refreshSite(db)
  if (!(await isSetupOpen(db))) {
    return null
  }

  return {
    currency: siteCurrency(),
    currencies: Intl.supportedValuesOf('currency'),
    // The school is probably where its owner is.
    timeZone,
    timeZones: listTimeZones(timeZone),
  }
}

/** Returns whether an owner still has to submit or skip the form. */
async function isSetupOpen(db: Pick<Statements, 'execute'>): Promise<boolean> {
  const { name, currency, timeZone, payments } = currentSite()

  return shouldShowSetup({
    // Another process may have stored the form within the last second, so this reads the database.
    isFinished: (await findLatestVersion(db, 'setup')) !== null,
    hasChangedSite: [name, currency, timeZone, payments].some((value) => value !== null),
    hasOperatorSetting: isSet('CURRENCY'),
    hasOrder: await hasOrder(db),
    hasOwnCourse: await hasOwnCourse(db),
  })
}

/** What tells that a school has been set up already, for example before an upgrade. */
type SetupSigns = {
  /** An owner has submitted or skipped the form. */
  isFinished: boolean
  /** An owner has set a part of the site that the form contains, or the payments. */
  hasChangedSite: boolean
  /** The operator has set a part of the site that the form contains. */
  hasOperatorSetting: boolean
  hasOrder: boolean
  hasOwnCourse: boolean
}

/** Returns whether no sign tells that the school has been set up. */
export function shouldShowSetup(signs: SetupSigns): boolean {
  return Object.values(signs).every((isPresent) => !isPresent)
}

const saveSetup = createSiteAction({ name: 'site setup', needsRecentSignIn: true }, storeSetup)

/** The actions of the form of the first visit. Only submitting it needs a recent sign-in. */
export const schoolSetupActions = {
  setUp: { ...saveSetup, perform: setUpSchool },
  skipSetup: createSiteAction({ name: 'site setup', needsRecentSignIn: false }, storeSkippedSetup),
} satisfies Record<string, DeskAction>

/** Stores the submitted form, and then withdraws the sample courses if the owner wants none. */
async function setUpSchool(request: DeskFormRequest): Promise<Result<DeskActionResult>> {
  const result = await saveSetup.perform(request)
  if (!result.ok || readText(request, 'samples') !== 'without') {
    return result
  }

  const sampleCourses = await listSampleCourses(request.db)
  const withdrawal = await withdrawCourses(
    request.actionContext,
    sampleCourses.map(({ id }) => id),
  )
  if (!withdrawal.ok) {
    const outcome = `${result.value.outcome} But some sample courses are still published: ${withdrawal.problem} Withdraw them under Site.`
    return success({ outcome })
  }

  return success({ outcome: `${result.value.outcome} ${withdrawal.value.outcome}` })
}

const alreadySetUpMessage = 'The school is set up already. Change it under Site.'

async function storeSetup(request: DeskChangeRequest): Promise<Result<DeskChangeResult>> {
  if (!(await isSetupOpen(request.transaction))) {
    return failure(alreadySetUpMessage)
  }

  const setupValues = await readSetupValues(request)
  if (!setupValues.ok) {
    return setupValues
  }

  let changes: Changes = {}
  for (const [part, value] of setupValues.value) {
    const result = await storePart(request, part, value)
    if (!result.ok) {
      return result
    }

    changes = { ...changes, ...result.value.changes }
  }

  return success({ subject: 'setup', changes, outcome: 'The school is set up.' })
}

async function storeSkippedSetup(request: DeskChangeRequest): Promise<Result<DeskChangeResult>> {
  if (readText(request, 'sure') !== 'on') {
    return failure('Send the whole form.')
  }

  if (!(await isSetupOpen(request.transaction))) {
    return failure(alreadySetUpMessage)
  }

  const result = await storePart(request, 'setup', 'skipped')
  if (!result.ok) {
    return result
  }

  const outcome = 'Skipped. Name, currency, time zone and sample courses are under Site.'
  return success({ ...result.value, outcome })
}

type SetupValue = [part: SitePart, value: string]

/**
 * Reads the parts of the site that the owner has changed, and the mark that the form was submitted.
 */
async function readSetupValues(request: DeskChangeRequest): Promise<Result<SetupValue[]>> {
  const name = readText(request, 'name')
  if (name !== '' && parseSiteValue('name', name) === null) {
    return failure(invalidValueMessages.name, 'name')
  }

  const currency = readText(request, 'currency')
  if (parseSiteValue('currency', currency) === null) {
    return failure(invalidValueMessages.currency, 'currency')
  }

  const submittedZone = readText(request, 'timeZone')
  const timeZone = await findSupportedTimeZone(request.transaction, submittedZone)
  if (timeZone === null) {
    return failure(invalidValueMessages.timeZone, 'timeZone')
  }

  const setupValues: SetupValue[] = [['setup', 'answered']]
  if (name !== '' && name !== siteName()) {
    setupValues.push(['name', name])
  }

  if (currency !== siteCurrency()) {
    setupValues.push(['currency', currency])
  }

  if (timeZone !== siteTimeZone()) {
    setupValues.push(['timeZone', timeZone])
  }

  return success(setupValues)
}

async function storePart(
  request: DeskChangeRequest,
  part: SitePart,
  value: string,
): Promise<Result<DeskChangeResult>> {
  const latestVersion = await findLatestVersion(request.transaction, part)
  const seenVersion = latestVersion?.version ?? 0

  return changePart(request, { part, value, seenVersion, ownerUid: request.staff.uid })
}
