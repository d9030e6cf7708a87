import { renderToStaticMarkup } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, it } from 'vitest'
import { failedResult } from '~/ui/form/form-result'
import { photoRules } from '../account-rules'
import type { SessionUser } from '../session/session-user.server'
import { findPhotoProblem } from './photo-field'
import { settingsMessages } from './settings-messages'
import { SettingsSection } from './settings-section'

const learner = {
  uid: 'ada',
  email: 'ada@test.example',
  displayName: 'Ada',
  firstName: 'Ada',
} as SessionUser

function renderWithProblem(
  problem: string,
  { shouldKeepDraft }: { shouldKeepDraft: boolean },
): string {
  const section = (
    <SettingsSection
      learner={learner}
      shouldKeepDraft={shouldKeepDraft}
      heading={null}
      result={failedResult(problem)}
      onSaved={async () => {}}
      onUnsavedChange={() => {}}
    />
  )

  return renderToStaticMarkup(
    <RouterProvider router={createMemoryRouter([{ path: '/', element: section }])} />,
  )
}

it('says that the input is kept only if it is', () => {
  const inputIsKept = 'What you typed is kept on this device.'
  const ownAccount = renderWithProblem('We couldn’t reach Learnify.', { shouldKeepDraft: true })

  expect(ownAccount).toContain(inputIsKept)

  const demoAccount = renderWithProblem('The demo account is shared.', { shouldKeepDraft: false })

  expect(demoAccount).toContain('The demo account is shared.')
  expect(demoAccount).not.toContain(inputIsKept)
})

it.each([
  [{ size: photoRules.maxBytes, type: 'image/png' }, null],
  [{ size: photoRules.maxBytes + 1, type: 'image/png' }, settingsMessages.photoMessages.tooLarge],
  [{ size: 1, type: 'image/webp' }, null],
  [{ size: 1, type: 'image/gif' }, settingsMessages.photoMessages.wrongKind],
])('checks a chosen photo before it is sent: %o', (file, problem) => {
  expect(findPhotoProblem(file)).toBe(problem)
})
