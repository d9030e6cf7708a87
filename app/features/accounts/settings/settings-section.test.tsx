import { renderToStaticMarkup } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, it } from 'vitest'
import { failedResult } from '~/ui/form/form-result'
import type { SessionUser } from '../account-queries.server'
import { SettingsSection } from './settings-section'

const learner = {
  uid: 'ada',
  email: 'ada@test.example',
  displayName: 'Ada',
  firstName: 'Ada',
} as SessionUser

function pageRefusing(sentence: string, keepsDraft: boolean): string {
  const section = (
    <SettingsSection
      learner={learner}
      keepsDraft={keepsDraft}
      heading={null}
      result={failedResult(sentence)}
      onSaved={async () => {}}
      onChange={() => {}}
    />
  )

  return renderToStaticMarkup(
    <RouterProvider router={createMemoryRouter([{ path: '/', element: section }])} />,
  )
}

it('what was typed is said to be kept only where it is', () => {
  const kept = 'What you typed is kept on this device.'
  expect(pageRefusing('We couldn’t reach Learnify.', true)).toContain(kept)
  const shared = pageRefusing('The demo account is shared.', false)
  expect(shared).toContain('The demo account is shared.')
  expect(shared).not.toContain(kept)
})
