import { ButtonLink } from '~/ui/button'

const steps = [
  { title: 'Find a course', text: 'Preview a few lessons, then enroll. It takes one click.' },
  { title: 'Finish your first lesson', text: 'Most take a few minutes, and we keep your place.' },
  { title: 'Set a weekly goal', text: 'Choose your days in Settings, with a reminder if you like.' },
] as const

/** The first visit: what to do, and what comes after it. */
export function FirstSteps() {
  return (
    <section aria-labelledby="first-steps" className="card overflow-hidden">
      <div className="p-5 sm:p-8">
        <h2 id="first-steps" className="font-bold text-2xl">
          Start with a course
        </h2>
        <p className="mt-2 max-w-xl text-muted">
          Your courses, scores and certificates will appear here as you learn. Here’s how to begin.
        </p>
        <ol className="mt-6 grid gap-5 md:grid-cols-3 xl:mt-8 xl:grid-cols-1 xl:gap-7">
          {steps.map(({ title, text }, index) => (
            <li key={title} className="flex gap-4 md:block xl:flex">
              <span
                aria-hidden="true"
                className={`grid size-9 shrink-0 place-items-center rounded-full font-bold tabular-nums ${index === 0 ? 'bg-accent text-on-accent' : 'bg-accent-soft text-accent-strong'}`}
              >
                {index + 1}
              </span>
              <div className="min-w-0 md:mt-3 xl:mt-0">
                <h3 className="font-semibold tracking-normal">{title}</h3>
                <p className="mt-1 text-muted">{text}</p>
              </div>
            </li>
          ))}
        </ol>
        <ButtonLink to="/AllCourses" className="mt-7 w-full sm:w-auto xl:mt-9">
          Browse courses
        </ButtonLink>
      </div>
    </section>
  )
}
