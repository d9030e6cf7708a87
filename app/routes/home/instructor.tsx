import { ArrowRight } from 'lucide-react'
import { publicPageHeaders } from '~/server/cache/page-cache.server'
import { ButtonLink } from '~/ui/button'
import { pageMeta } from '~/ui/page-meta'
import { siteName } from '~/ui/site-name'
import type { Route } from './+types/instructor'

export function headers() {
  return publicPageHeaders()
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta({
    title: `Teach on ${siteName()}`,
    description:
      'The instructor portal is coming soon: build a course, see how people learn from it, and teach what you do.',
    path: '/Instructor',
    matches,
  })

export default function InstructorRoute() {
  return <InstructorPage />
}

const plannedFeatures = [
  {
    title: 'Write',
    text: 'Arrange videos, articles and quizzes in the order people learn them.',
  },
  {
    title: 'Ask',
    text: 'Write exams with explanations, so a wrong answer teaches as much as a right one.',
  },
  {
    title: 'See',
    text: 'See where learners get stuck and how they rate your course, without tracking anyone.',
  },
]

/** Describes the instructor portal, which doesn't exist yet. */
function InstructorPage() {
  return (
    <div className="column grid items-start gap-14 py-16 md:py-24 lg:grid-cols-2 lg:gap-20 lg:py-32">
      <div>
        <p className="inline-flex items-center gap-2 rounded-full bg-accent-soft px-3.5 py-1.5 font-semibold text-accent-strong text-sm">
          <span aria-hidden="true" className="size-2 rounded-full bg-accent" />
          Coming soon
        </p>
        <h1 className="display mt-6">Teach what you do</h1>
        <p className="mt-6 max-w-lg text-lg text-muted">
          We’re building the instructor portal. Until it opens, our courses show what a good one
          looks like.
        </p>
        <div className="mt-8 flex flex-wrap gap-3">
          <ButtonLink to="/OneCourse">
            See a complete course
            <ArrowRight aria-hidden="true" size={18} />
          </ButtonLink>
          <ButtonLink to="/" variant="secondary">
            Back to the home page
          </ButtonLink>
        </div>
      </div>
      <div>
        <h2 className="eyebrow">What you’ll be able to do</h2>
        <ol className="mt-6 border-line border-t">
          {plannedFeatures.map(({ title, text }) => (
            <li
              key={title}
              className="grid grid-cols-[6rem_1fr] gap-4 border-line border-b py-6 sm:grid-cols-[9rem_1fr]"
            >
              <span className="font-bold text-2xl tracking-tight sm:text-3xl">{title}</span>
              <span className="text-muted">{text}</span>
            </li>
          ))}
        </ol>
      </div>
    </div>
  )
}
