import { renderToStaticMarkup } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, it } from 'vitest'
import { LessonActions } from './lesson-actions'
import { certificateNeeds } from './lesson-messages'

const shown = (markNote: string | null) => {
  const element = (
    <LessonActions
      courseId="python"
      previous={null}
      step={{ kind: 'exam' }}
      done={false}
      markable
      markNote={markNote}
      onMark={() => {}}
      bookmarked={false}
    />
  )
  return renderToStaticMarkup(<RouterProvider router={createMemoryRouter([{ path: '/', element }])} />)
}

it('“Mark as done” says before it is pressed what the mark doesn’t count for', () => {
  const html = shown(certificateNeeds.video)
  expect(html).toMatch(/<button[^>]*aria-describedby="mark-note"[^>]*>(?:(?!<\/button>).)*Mark as done/)
  expect(html).toContain('Your certificate counts this video once you’ve watched 90% of it.')
  expect(shown(null)).not.toContain('mark-note')
})
