import { renderToStaticMarkup } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, it } from 'vitest'
import { StudyPlanSection } from './study-plan-settings'
import type { StudyPlan } from './weekly-goal'

function afterSaving(plan: StudyPlan | null): string {
  const section = (
    <StudyPlanSection plan={plan} initialResult={{ done: true }} onUnsavedChange={() => {}} />
  )
  return renderToStaticMarkup(
    <RouterProvider router={createMemoryRouter([{ path: '/', element: section }])} />,
  )
}

it('a goal without days is said to be removed, not saved', () => {
  expect(afterSaving({ weekdays: [1], reminderHour: null })).toContain('Weekly goal saved.')
  expect(afterSaving(null)).toContain('Weekly goal removed.')
})
