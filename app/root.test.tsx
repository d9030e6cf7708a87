import { renderToString } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, it } from 'vitest'
import { ErrorBoundary, shouldRevalidate } from './root'

/** Renders a page that could not be loaded, because there is no connection. */
function renderUnreachablePage(path: string): string {
  const router = createMemoryRouter([{ id: 'root', path: '*', ErrorBoundary }], {
    initialEntries: [path],
    hydrationData: { errors: { root: new TypeError('Failed to fetch') } },
  })
  return renderToString(<RouterProvider router={router} />)
}

it.each(['/Learn/python-from-zero', '/learn/python-from-zero/names-and-values'])(
  'a lesson at %s that can’t be reached says that progress is saved',
  (path) => {
    expect(renderUnreachablePage(path)).toContain('Your lesson progress is saved on this device')
  },
)

it.each(['/Exam/python-from-zero', '/EXAM/python-from-zero'])(
  'an exam at %s that can’t be reached says that the clock keeps running',
  (path) => {
    expect(renderUnreachablePage(path)).toContain('Your exam’s clock keeps running')
  },
)

it.each(['/Desk/Site', '/desk/site/Pages/terms'])(
  'the site is loaded again after a change at %s',
  (formAction) => {
    const parameters = { formAction } as Parameters<typeof shouldRevalidate>[0]
    expect(shouldRevalidate(parameters)).toBe(true)
  },
)
