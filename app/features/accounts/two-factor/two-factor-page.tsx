import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import { Button } from '~/ui/button'
import { Form } from '~/ui/form/form'
import { useForm } from '~/ui/form/use-form'
import { formatDate } from '~/ui/format-date'
import { Notice } from '~/ui/notice'
import { CodeField } from '../form/form-fields'
import { type AccountFormResult, type AccountFormSuccess, checkForm } from '../form/form-result'
import { type PageForms, usePageForms } from '../security/page-forms'
import { SecurityPage, SignOutOthersCheckbox } from '../security/security-page'
import { NewRecoveryCodes } from './new-recovery-codes'
import type { TwoFactorStatus } from './two-factor-forms.server'
import { codeForm, twoFactorTexts } from './two-factor-texts'

type TwoFactorPageProps = {
  twoFactor: TwoFactorStatus
  /** Whether the school requires two-step sign-in of this account. */
  isRequired: boolean
  isEmailVerified: boolean
  timeZone: string
  /** The route action's result after a request without scripts. */
  result?: AccountFormResult
}

/** The page on which a learner sets up two-step sign-in or turns it off. */
export function TwoFactorPage({
  twoFactor,
  isRequired,
  isEmailVerified,
  timeZone,
  result,
}: TwoFactorPageProps) {
  const pageForms = usePageForms(result)
  const { latestResult, displayedResult } = pageForms
  const newRecoveryCodes = latestResult?.done ? latestResult.recoveryCodes : undefined
  const formProps = { initialResult: latestResult?.done ? undefined : latestResult, pageForms }

  return (
    <SecurityPage title={twoFactorTexts.title} intro={twoFactorTexts.intro}>
      {isRequired && twoFactor.status !== 'on' && (
        <Notice variant="info" className="mb-6">
          {twoFactorTexts.required}
        </Notice>
      )}
      <div role="status" className="empty:hidden">
        {displayedResult?.done && displayedResult.notice && (
          <Notice variant="good" silent className="mb-6">
            {displayedResult.notice}
          </Notice>
        )}
      </div>
      {newRecoveryCodes && <NewRecoveryCodes codes={newRecoveryCodes} />}
      {twoFactor.status === 'off' && (
        <StartSection {...formProps} canStart={isEmailVerified || isRequired} />
      )}
      {twoFactor.status === 'setup' && <SetupSection {...formProps} app={twoFactor} />}
      {twoFactor.status === 'on' && (
        <EnabledSection {...formProps} {...twoFactor} timeZone={timeZone} />
      )}
    </SecurityPage>
  )
}

type FormProps = {
  initialResult: AccountFormResult | undefined
  pageForms: PageForms
}
type IntentFormProps = FormProps & { intent: string; children: ReactNode }

/** A form without fields, or with a checkbox only. Its intent tells the route action what to do. */
function IntentForm({ intent, children, initialResult, pageForms }: IntentFormProps) {
  const formId = useId()
  const form = useForm<AccountFormSuccess>({
    initialResult,
    onSuccess: pageForms.onSuccess,
    shouldRevalidate: false,
  })
  const error = pageForms.isErrorOutdated(formId) ? undefined : form.errors.form

  return (
    <Form form={form} hiddenValues={{ intent }} onSubmit={() => pageForms.markAsSent(formId)}>
      <fieldset disabled={form.isBusy} className="grid justify-items-start gap-4">
        {children}
        {error && <Notice variant="bad">{error}</Notice>}
      </fieldset>
    </Form>
  )
}

function StartSection({ canStart, ...formProps }: FormProps & { canStart: boolean }) {
  return (
    <section className="card p-5 sm:p-6">
      <h2 className="font-bold text-lg">{twoFactorTexts.off}</h2>
      <p className="mt-2 mb-4 text-muted">
        {canStart ? twoFactorTexts.begin : twoFactorTexts.needsConfirmedEmail}
      </p>
      {canStart ? (
        <IntentForm {...formProps} intent="begin">
          <Button type="submit">Set up an app</Button>
        </IntentForm>
      ) : (
        <Link to="/ConfirmEmail" className="link">
          Confirm your email address
        </Link>
      )}
    </section>
  )
}

/** The blank border that a QR code needs on each side, in modules. */
const quietZone = 4

type SetupSectionProps = FormProps & { app: Extract<TwoFactorStatus, { status: 'setup' }> }

function SetupSection({ app, initialResult, pageForms }: SetupSectionProps) {
  const { url, key, qr } = app
  const formId = useId()
  const viewSize = qr.size + 2 * quietZone
  const form = useForm<AccountFormSuccess>({
    validate: (formData) => checkForm(codeForm, formData).errors,
    initialResult,
    onSuccess: pageForms.onSuccess,
    shouldRevalidate: false,
  })
  const errors = pageForms.isErrorOutdated(formId) ? {} : form.errors

  return (
    <section className="card p-5 sm:p-6" aria-labelledby="set-up-title">
      <h2 id="set-up-title" className="font-bold text-lg">
        Set up your app
      </h2>
      <p className="mt-3">{twoFactorTexts.scan}</p>
      {/* Cameras read dark on light best, so the QR code is the same in both themes. */}
      <svg
        role="img"
        aria-label="QR code with the key for your app"
        viewBox={`${-quietZone} ${-quietZone} ${viewSize} ${viewSize}`}
        className="mt-3 size-52 rounded-control border border-line bg-white text-black"
      >
        <path d={qr.path} fill="currentColor" shapeRendering="crispEdges" />
      </svg>
      <p className="mt-4">
        On this phone?{' '}
        <a href={url} className="link">
          Open your app
        </a>
      </p>
      <p className="mt-4">{twoFactorTexts.type}</p>
      <p className="mt-1 font-mono text-lg [overflow-wrap:anywhere]">{key}</p>
      <p className="mt-6 mb-3">{twoFactorTexts.prove}</p>
      <Form
        form={form}
        hiddenValues={{ intent: 'enable' }}
        onSubmit={() => pageForms.markAsSent(formId)}
      >
        <fieldset disabled={form.isBusy} className="grid max-w-sm gap-4">
          <CodeField label="Code" isNumeric error={errors.code} />
          <SignOutOthersCheckbox />
          {errors.form && <Notice variant="bad">{errors.form}</Notice>}
          <Button type="submit">
            {form.isBusy ? 'Turning on...' : 'Turn on two-step sign-in'}
          </Button>
        </fieldset>
      </Form>
      <div className="mt-4">
        <IntentForm intent="cancel" initialResult={undefined} pageForms={pageForms}>
          <Button type="submit" variant="quiet">
            Cancel
          </Button>
        </IntentForm>
      </div>
    </section>
  )
}

/** With this number of recovery codes or fewer, the page advises to make new ones. */
const fewCodesLimit = 3

type EnabledSectionProps = FormProps & {
  /** An ISO date-time. */
  since: string
  remainingCodes: number
  timeZone: string
}

function EnabledSection({ since, remainingCodes, timeZone, ...formProps }: EnabledSectionProps) {
  return (
    <section className="card divide-y divide-line">
      <div className="p-5 sm:p-6">
        <h2 className="font-bold text-lg">On since {formatDate(since, timeZone)}</h2>
        <p className="mt-2 text-muted">{twoFactorTexts.inUse}</p>
      </div>
      <div className="p-5 sm:p-6">
        <h3 className="font-bold tracking-normal">Recovery codes</h3>
        <p className="mt-2 text-muted">
          {remainingCodes} of 10 are left. {twoFactorTexts.newCodes}
        </p>
        {remainingCodes <= fewCodesLimit && (
          <Notice variant="warn" className="mt-4">
            {twoFactorTexts.fewCodes}
          </Notice>
        )}
        <div className="mt-4">
          <IntentForm {...formProps} intent="new-codes">
            <Button type="submit" variant="secondary">
              Make new codes
            </Button>
          </IntentForm>
        </div>
      </div>
      <div className="p-5 sm:p-6">
        <h3 className="font-bold tracking-normal">Turn off</h3>
        <p className="mt-2 mb-3 text-muted">{twoFactorTexts.turnOff}</p>
        <IntentForm {...formProps} intent="turn-off">
          <SignOutOthersCheckbox />
          <Button type="submit" variant="danger">
            Turn off two-step sign-in
          </Button>
        </IntentForm>
      </div>
    </section>
  )
}
