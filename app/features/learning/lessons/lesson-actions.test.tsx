import { renderToStaticMarkup } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, it } from 'vitest'
import { lessonRules } from './kinds/lesson-rules'
import { LessonActions } from './lesson-actions'

const shown = (markNote: string | null, waiting = false) => {
  const element = (
    <LessonActions
      courseId="python"
      previous={null}
      step={{ kind: 'exam' }}
      done={false}
      goOn={{ waiting, go: () => {}, follow: () => {} }}
      mark={{ note: markNote, disabled: false }}
      onMark={() => {}}
      bookmarked={false}
    />
  )

  return renderToStaticMarkup(
    <RouterProvider router={createMemoryRouter([{ path: '/', element }])} />,
  )
}

it('“Mark as done” says before it is pressed what the mark doesn’t count for', () => {
  const html = shown(lessonRules.video.texts.markIsNotEnough)
  expect(html).toMatch(
    /<button[^>]*aria-describedby="mark-note"[^>]*>(?:(?!<\/button>).)*Mark as done/,
  )
  expect(html).toContain('Your certificate counts this video once you’ve watched 90% of it.')
  expect(shown(null)).not.toContain('aria-describedby')
})

it('“Next” says without a connection why it waits', () => {
  expect(shown(null, true)).toContain(
    'You’re offline. This will open by itself as soon as you’re back online.',
  )
})
