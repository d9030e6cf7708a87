import { renderToStaticMarkup } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, it } from 'vitest'
import { ReviewCard } from './review-card'
import type { OwnReviews } from './review-messages'

/** The learner found the review `r1` helpful, as did four others. */
const ownReviews: OwnReviews = {
  eligibility: 'may-review',
  voteLacks: null,
  review: null,
  votes: { r1: 5 },
}

function renderReview(id: string): string {
  const review = {
    id,
    name: 'Ada',
    photo: null,
    rating: 5,
    date: null,
    edited: false,
    comment: 'Good',
    helpful: 3,
    isLearners: false,
    answer: null,
  }
  const card = (
    <ReviewCard
      courseId="python-from-zero"
      instructor="Grace Hopper"
      review={review}
      ownReviews={ownReviews}
    />
  )

  return renderToStaticMarkup(
    <RouterProvider router={createMemoryRouter([{ path: '*', element: card }])} />,
  )
}

it.each([
  ['that the learner has voted for', 'r1', 'true', '5 learners'],
  ['that the learner has not voted for', 'r2', 'false', '3 learners'],
  ['whose ID every object has as a property', 'constructor', 'false', '3 learners'],
])('a review %s shows the vote and the count', (_description, id, isPressed, count) => {
  const html = renderReview(id)
  expect(html).toContain(`aria-pressed="${isPressed}"`)
  expect(html).toContain(`${count} found this helpful`)
})
