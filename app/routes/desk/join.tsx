/** /Desk/Join?token=...: the link that makes the signed-in learner an owner. */
import { data, Form, redirect } from 'react-router'
import { requirePageData } from '~/features/desk/desk-request.server'
import { type JoinStep, joinDesk, loadJoinPage } from '~/features/desk/join-desk.server'
import { UnknownPageBoundary } from '~/features/desk/unknown-page-boundary'
import { unknownPageMeta } from '~/features/home/home-page'
import { errorResponse } from '~/server/http/form-response.server'
import { refuseInMaintenance } from '~/server/http/maintenance.server'
import { Button, ButtonLink } from '~/ui/button'
import { createClientAction } from '~/ui/form/client-action'
import type { FormResult } from '~/ui/form/form-result'
import { Notice } from '~/ui/notice'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/join'

/** The URL holds a secret, so it must not be cached or sent as a referrer. */
export function headers() {
  return { 'Cache-Control': 'no-store', 'Referrer-Policy': 'strict-origin' }
}

export async function loader({ request, url }: Route.LoaderArgs) {
  refuseInMaintenance()
  const join = await requirePageData(await loadJoinPage(request, url))

  return data({ join }, { status: join.step === 'expired' ? 404 : 200 })
}

export async function action({ request, url }: Route.ActionArgs) {
  const result = await requirePageData(await joinDesk(request, url))
  if (!result.ok) {
    return errorResponse(result.problem)
  }

  throw redirect('/Desk', 303)
}

export const clientAction = createClientAction<typeof action>()

export function meta({ loaderData, matches }: Route.MetaArgs) {
  if (!loaderData) {
    return pageMeta({ ...unknownPageMeta, matches })
  }

  return pageMeta({
    title: 'Desk',
    description: 'The desk of this school.',
    path: null,
    matches,
  })
}

export const ErrorBoundary = UnknownPageBoundary

export default function JoinRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <JoinPage join={loaderData.join} result={actionData} />
}

/** Shows what the visitor has to do next. Only the button makes them an owner. */
function JoinPage({ join, result }: { join: JoinStep; result: FormResult | undefined }) {
  return (
    <div className="column grid max-w-xl gap-5 py-16 text-center sm:py-24">
      <h1 className="title">{titlesByStep[join.step]}</h1>
      {result?.done === false && <Notice variant="bad">{result.errors.form}</Notice>}
      <StepContent join={join} />
    </div>
  )
}

const titlesByStep = {
  expired: 'This link no longer works',
  'sign-in': 'Run this school',
  'confirm-email': 'Confirm your email address',
  ready: 'Run this school',
} as const

function StepContent({ join }: { join: JoinStep }) {
  if (join.step === 'expired') {
    return (
      <p className="text-muted">
        It works once, and for a day. Somebody with a terminal on the server gets a new one with{' '}
        <code>npm run admin -- staff link</code>.
      </p>
    )
  }

  if (join.step === 'sign-in') {
    const query = new URLSearchParams({ from: join.from })
    return (
      <>
        <p className="text-muted">
          This link makes an account the owner of the desk, where the school is run in the browser.
          First sign in to the account that you want to use, or create one.
        </p>
        <p className="flex flex-wrap justify-center gap-3">
          <ButtonLink to={`/Login?${query}`}>Sign in</ButtonLink>
          <ButtonLink to={`/SignUp?${query}`} variant="secondary">
            Create an account
          </ButtonLink>
        </p>
      </>
    )
  }

  if (join.step === 'confirm-email') {
    return (
      <>
        <p className="text-muted">
          An owner’s account needs a confirmed email address, because whoever reads its mailbox can
          reset its password. Open the link in the email that we sent to <bdi>{join.email}</bdi>,
          then open the link to the desk again. Both links work for a day.
        </p>
        <p>
          <ButtonLink to="/ConfirmEmail" variant="secondary">
            The email didn’t arrive
          </ButtonLink>
        </p>
      </>
    )
  }

  return (
    <>
      <p className="text-muted">
        You’re signed in as <bdi>{join.name}</bdi> ({join.email}). As an owner, this account sees
        all learners and orders, and says who else works at the desk.
      </p>
      <Form method="post">
        <Button type="submit">Become the owner</Button>
      </Form>
    </>
  )
}
