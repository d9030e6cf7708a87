import { Form } from 'react-router'
import { Button, ButtonLink } from '~/ui/button'
import { Notice } from '~/ui/notice'
import type { DeskResult } from './desk-views'
import type { JoinState } from './join-desk.server'

/** Behind the link that makes an owner: opening it shows this, its button does it. */
export function JoinView({ join, result }: { join: JoinState; result: DeskResult }) {
  return (
    <div className="column grid max-w-xl gap-5 py-16 text-center sm:py-24">
      <h1 className="title">{titles[join.state]}</h1>
      {result?.done === false && <Notice look="bad">{result.errors.form}</Notice>}
      <Step join={join} />
    </div>
  )
}

const titles = {
  expired: 'This link no longer works',
  visitor: 'Run this school',
  ready: 'Run this school',
} as const

function Step({ join }: { join: JoinState }) {
  if (join.state === 'expired') {
    return (
      <p className="text-muted">
        It works once, and for a day. Somebody with a terminal on the server gets a new one with{' '}
        <code>npm run admin -- staff link</code>.
      </p>
    )
  }

  if (join.state === 'visitor') {
    const query = new URLSearchParams({ from: join.from })
    return (
      <>
        <p className="text-muted">
          This link makes an account the owner of the desk, where the school is run in the browser.
          First sign in to the account that you want to use, or create one.
        </p>
        <p className="flex flex-wrap justify-center gap-3">
          <ButtonLink to={`/Login?${query}`}>Sign in</ButtonLink>
          <ButtonLink to={`/SignUp?${query}`} look="secondary">
            Create an account
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
