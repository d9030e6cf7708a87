/**
 * The actions of the site page: the change of each part, the undo of a change, the sample courses,
 * and a test email.
 */
import { restoreWithdrawnCourses, withdrawCourses } from '~/features/catalog/course-actions.server'
import { listSampleCourses } from '~/features/courses/sample-courses.server'
import { findSupportedTimeZone } from '~/features/school/supported-time-zones.server'
import { failure, type Result, success } from '~/server/result'
import { listOverridingSettings } from '~/server/site/site.server'
import type { SitePart } from '~/server/site/site-values'
import {
  type DeskAction,
  type DeskActionResult,
  type DeskFormRequest,
  readText,
} from '../desk-form.server'
import { readAccent } from './accent-value.server'
import { readFooter } from './footer-value.server'
import {
  readCategoryCards,
  readFeatures,
  readHero,
  readTestimonials,
} from './home-text-forms.server'
import { checkSubmittedKey, readPayments } from './payment-values.server'
import { readRefundPeriod, readTaxRates, readWaiver } from './sale-rule-values.server'
import {
  createPartAction,
  createSimplePartAction,
  invalidValueMessages,
  restoreActions,
} from './site-part-actions.server'
import { type PictureKind, storePicture } from './site-pictures.server'
import { testEmailAction } from './test-mail.server'

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
  payments: createPaymentsAction(),
  timeZone: createPartAction('timeZone', async (request) => {
    const timeZone = await findSupportedTimeZone(request.transaction, readText(request, 'timeZone'))
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
  categoryCards: createPartAction('categoryCards', readCategoryCards),
  testimonials: createSimplePartAction('testimonials', readTestimonials),
  certificateNames: createSimplePartAction('certificateNames', (request) =>
    readText(request, 'certificateNames'),
  ),
  withdrawSamples: createSampleCoursesAction(withdrawCourses),
  restoreSamples: createSampleCoursesAction(restoreWithdrawnCourses),
  testMail: testEmailAction,
  ...restoreActions,
} satisfies Record<string, DeskAction>

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

/** Returns the action that saves the payments, unless Stripe refuses the key. */
function createPaymentsAction(): DeskAction {
  const savePayments = createPartAction('payments', readPayments)
  return { ...savePayments, perform: (request) => checkAndSavePayments(request, savePayments) }
}

/** A key that can't be checked now is saved. The outcome says so. */
async function checkAndSavePayments(
  request: DeskFormRequest,
  savePayments: DeskAction,
): Promise<Result<DeskActionResult>> {
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
