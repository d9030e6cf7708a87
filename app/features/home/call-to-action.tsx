import { ButtonLink } from '~/ui/button'
import { siteName } from '~/ui/site-name'

/** The closing section of the page: dark in both themes, with two links. */
export function CallToAction() {
  return (
    <section aria-labelledby="start-title" className="column pt-24 lg:pt-32">
      <div className="night relative isolate overflow-clip rounded-[2rem] border border-line bg-canvas px-6 py-16 text-ink sm:px-12 lg:px-20 lg:py-24">
        <Orbits />
        <div className="max-w-xl">
          <h2 id="start-title" className="font-bold text-4xl tracking-tight sm:text-5xl">
            The best time to start is now.
          </h2>
          <p className="mt-5 text-lg text-muted">
            Watch a few preview lessons, or share what you know with people who want to learn it.
          </p>
          <div className="mt-8 flex flex-wrap gap-3">
            <ButtonLink to="/AllCourses">Find your course</ButtonLink>
            <ButtonLink to="/Instructor" variant="secondary">
              Teach on {siteName()}
            </ButtonLink>
          </div>
        </div>
      </div>
    </section>
  )
}

/** The globe's sky: rings with a few stars on them. */
function Orbits() {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 600 600"
      fill="none"
      className="absolute -right-72 -bottom-[30rem] -z-10 size-[44rem] text-accent sm:-right-48 sm:-bottom-80 lg:-right-20 lg:-bottom-72"
    >
      <g className="stroke-current" strokeWidth="1">
        <circle cx="300" cy="300" r="120" strokeOpacity="0.5" />
        <circle cx="300" cy="300" r="190" strokeOpacity="0.35" />
        <circle cx="300" cy="300" r="250" strokeOpacity="0.22" strokeDasharray="2 7" />
        <circle cx="300" cy="300" r="299" strokeOpacity="0.14" />
      </g>
      <g className="fill-current">
        <circle cx="300" cy="300" r="60" fillOpacity="0.16" />
        <circle cx="215" cy="215" r="5" />
        <circle cx="206" cy="135" r="7" fillOpacity="0.85" />
        <circle cx="427" cy="84" r="4" fillOpacity="0.7" />
        <circle cx="57" cy="239" r="4" fillOpacity="0.6" />
      </g>
    </svg>
  )
}
