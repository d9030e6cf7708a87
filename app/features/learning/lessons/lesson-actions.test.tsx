import { renderToStaticMarkup } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, it } from 'vitest'
import { lessonRules } from './kinds/lesson-rules'
import { LessonActions } from './lesson-actions'

type Options = { markNote?: string | null; isWaiting?: boolean }

function renderActions({ markNote = null, isWaiting = false }: Options): string {
  const element = (
    <LessonActions
      courseId="python"
      previousLesson={null}
      nextStep={{ kind: 'exam' }}
      navigation={{ isWaiting, open: () => {}, handleLinkClick: () => {} }}
      isDone={false}
      markButton={{ note: markNote, isDisabled: false }}
      onMark={() => {}}
      isBookmarked={false}
    />
  )

  return renderToStaticMarkup(
    <RouterProvider router={createMemoryRouter([{ path: '/', element }])} />,
  )
}

it('“Mark as done” says what the mark doesn’t count for before it is pressed', () => {
  const html = renderActions({ markNote: lessonRules.video.texts.markedButNotEarned })

  expect(html).toMatch(
    /<button[^>]*aria-describedby="mark-note"[^>]*>(?:(?!<\/button>).)*Mark as done/,
  )
  expect(html).toContain('Your certificate counts this video once you’ve watched 90% of it.')
  expect(renderActions({ markNote: null })).not.toContain('aria-describedby')
})

it('“Next” says why it waits without a connection', () => {
  expect(renderActions({ isWaiting: true })).toContain(
    'You’re offline. This will open by itself as soon as you’re back online.',
  )
})
