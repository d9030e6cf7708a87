import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Button } from '~/ui/button'
import { Form } from '~/ui/form/form'
import { useForm } from '~/ui/form/use-form'
import { formatDate } from '~/ui/format-date'
import { Notice } from '~/ui/notice'
import { type AccountFormResult, type AccountFormSuccess, checkForm } from '../form/form-result'
import { SecurityPage, SignOutOthersCheckbox, useLatestResult } from '../security/security-page'
import { CodeField } from './code-field'
import { codeForm } from './code-form'
import { RecoveryCodes } from './recovery-codes'
import type { TwoFactorState } from './two-factor-forms.server'
import { twoFactorTexts } from './two-factor-messages'

/** From this number down, the page asks for new recovery codes. */
const fewCodes = 3

type TwoFactorPageProps = {
  twoFactor: TwoFactorState
  /** The site asks this account for it. */
  required: boolean
  emailVerified: boolean
  timeZone: string
  /** The action's result for a form without scripts. */
  result?: AccountFormResult
}

/** Sets the second step of a sign-in up, and turns it off. */
export function TwoFactorPage({
  twoFactor,
  required,
  emailVerified,
  timeZone,
  result,
}: TwoFactorPageProps) {
  const { latestResult, onSuccess } = useLatestResult(result)
  const codes = latestResult?.done ? latestResult.recoveryCodes : undefined
  const form = { initialResult: latestResult?.done ? undefined : latestResult, onSuccess }

  return (
    <SecurityPage title={twoFactorTexts.title} intro={twoFactorTexts.intro}>
      {required && twoFactor.state !== 'on' && (
        <Notice variant="info" className="mb-6">
          {twoFactorTexts.required}
        </Notice>
      )}
      <div role="status" className="empty:hidden">
        {latestResult?.done && latestResult.notice && (
          <Notice variant="good" silent className="mb-6">
            {latestResult.notice}
          </Notice>
        )}
      </div>
      {codes && <RecoveryCodes codes={codes} />}
      {twoFactor.state === 'off' && <Begin {...form} emailVerified={emailVerified || required} />}
      {twoFactor.state === 'begun' && <SetUp {...form} app={twoFactor} />}
      {twoFactor.state === 'on' && <InUse {...form} {...twoFactor} timeZone={timeZone} />}
    </SecurityPage>
  )
}

type FormProps = {
  initialResult: AccountFormResult | undefined
  onSuccess(result: AccountFormResult): Promise<void>
}
type IntentFormProps = FormProps & { intent: string; children: ReactNode }

/** A form that is one button and what belongs to it. */
function IntentForm({ intent, children, initialResult, onSuccess }: IntentFormProps) {
  const form = useForm<AccountFormSuccess>({
    initialResult,
    onSuccess,
    shouldRevalidate: false,
  })

  return (
    <Form form={form} hiddenValues={{ intent }}>
      <fieldset disabled={form.isBusy} className="grid justify-items-start gap-4">
        {children}
        {form.errors.form && <Notice variant="bad">{form.errors.form}</Notice>}
      </fieldset>
    </Form>
  )
}

function Begin({ emailVerified, ...form }: FormProps & { emailVerified: boolean }) {
  return (
    <section className="card p-5 sm:p-6">
      <h2 className="font-bold text-lg">{twoFactorTexts.off}</h2>
      <p className="mt-2 mb-4 text-muted">
        {emailVerified ? twoFactorTexts.begin : twoFactorTexts.needsAddress}
      </p>
      {emailVerified ? (
        <IntentForm {...form} intent="begin">
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

type SetUpProps = FormProps & { app: Extract<TwoFactorState, { state: 'begun' }> }

function SetUp({ app: { address, key, qr }, initialResult, onSuccess }: SetUpProps) {
  const form = useForm<AccountFormSuccess>({
    validate: (entered) => checkForm(codeForm, entered).errors,
    initialResult,
    onSuccess,
    shouldRevalidate: false,
  })

  return (
    <section className="card p-5 sm:p-6" aria-labelledby="set-up-title">
      <h2 id="set-up-title" className="font-bold text-lg">
        Set up your app
      </h2>
      <p className="mt-3">{twoFactorTexts.scan}</p>
      {/* Cameras read dark on light best, in both themes. */}
      <svg
        role="img"
        aria-label="QR code with the key for your app"
        viewBox={`-4 -4 ${qr.size + 8} ${qr.size + 8}`}
        className="mt-3 size-52 rounded-control border border-line bg-white text-black"
      >
        <path d={qr.path} fill="currentColor" shapeRendering="crispEdges" />
      </svg>
      <p className="mt-4">
        On this phone?{' '}
        <a href={address} className="link">
          Open your app
        </a>
      </p>
      <p className="mt-4">{twoFactorTexts.type}</p>
      <p className="mt-1 font-mono text-lg [overflow-wrap:anywhere]">{key}</p>
      <p className="mt-6 mb-3">{twoFactorTexts.prove}</p>
      <Form form={form} hiddenValues={{ intent: 'enable' }}>
        <fieldset disabled={form.isBusy} className="grid max-w-sm gap-4">
          <CodeField label="Code" digits error={form.errors.code} />
          <SignOutOthersCheckbox />
          {form.errors.form && <Notice variant="bad">{form.errors.form}</Notice>}
          <Button type="submit">
            {form.isBusy ? 'Turning on...' : 'Turn on two-step sign-in'}
          </Button>
        </fieldset>
      </Form>
      <div className="mt-4">
        <IntentForm intent="cancel" initialResult={undefined} onSuccess={onSuccess}>
          <Button type="submit" variant="quiet">
            Cancel
          </Button>
        </IntentForm>
      </div>
    </section>
  )
}

type InUseProps = FormProps & { since: string; left: number; timeZone: string }

function InUse({ since, left, timeZone, ...form }: InUseProps) {
  return (
    <section className="card divide-y divide-line">
      <div className="p-5 sm:p-6">
        <h2 className="font-bold text-lg">On since {formatDate(since, timeZone)}</h2>
        <p className="mt-2 text-muted">{twoFactorTexts.inUse}</p>
      </div>
      <div className="p-5 sm:p-6">
        <h3 className="font-bold tracking-normal">Recovery codes</h3>
        <p className="mt-2 text-muted">
          {left} of 10 are left. {twoFactorTexts.newCodes}
        </p>
        {left <= fewCodes && (
          <Notice variant="warn" className="mt-4">
            {twoFactorTexts.fewCodes}
          </Notice>
        )}
        <div className="mt-4">
          <IntentForm {...form} intent="new-codes">
            <Button type="submit" variant="secondary">
              Make new codes
            </Button>
          </IntentForm>
        </div>
      </div>
      <div className="p-5 sm:p-6">
        <h3 className="font-bold tracking-normal">Turn off</h3>
        <p className="mt-2 mb-3 text-muted">{twoFactorTexts.turnOff}</p>
        <IntentForm {...form} intent="turn-off">
          <SignOutOthersCheckbox />
          <Button type="submit" variant="danger">
            Turn off two-step sign-in
          </Button>
        </IntentForm>
      </div>
    </section>
  )
}
