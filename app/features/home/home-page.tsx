import { ArrowRight } from 'lucide-react'
import { PopularCourses } from '~/features/catalog/course-shelf'
import { CoursePrice, HideOwnPrices } from '~/features/enrollment/course-price'
import { runningExamOf } from '~/features/exams/attempt/running-exams'
import { ButtonLink } from '~/ui/button'
import { siteName } from '~/ui/site-name'
import { CallToAction } from './call-to-action'
import { CategoryCards } from './category-cards'
import { Globe } from './globe'
import { HomeFeatures } from './home-features'
import type { Home } from './home-queries.server'
import { TestimonialSlider } from './testimonial-slider'

/** The home page, in the order of the specification. */
export function HomePage({ home }: { home: Home }) {
  return (
    <>
      <Hero />
      <HomeStats numbers={home.numbers ?? stats} />
      <HomeFeatures />
      {home.categories.length > 0 && <CategoryCards categories={home.categories} />}
      <PopularCourses
        courses={home.popular}
        slots={{ news: runningExamOf, price: (course) => <CoursePrice course={course} /> }}
      />
      <HideOwnPrices />
      {home.testimonials.length > 0 && <TestimonialSlider testimonials={home.testimonials} />}
      <CallToAction />
    </>
  )
}

const stats = [
  ['10,000+', 'active students'],
  ['500+', 'expert courses'],
  ['95%', 'success rate'],
  ['25K+', 'certificates'],
  ['160+', 'fields'],
  ['15+', 'languages'],
] as const

function HomeStats({
  numbers,
}: {
  numbers: readonly (readonly [number: string, label: string])[]
}) {
  if (numbers.length === 0) {
    return null
  }

  return (
    <section aria-labelledby="stats-title" className="relative border-line border-y bg-surface">
      <h2 id="stats-title" className="sr-only">
        {siteName()} by the numbers
      </h2>
      <dl className="column grid grid-cols-2 gap-x-4 gap-y-8 py-10 sm:grid-cols-3 lg:grid-cols-6 lg:py-12">
        {numbers.map(([number, label]) => (
          <div
            key={label}
            className="flex flex-col-reverse justify-end border-line border-l pl-4 lg:pl-5"
          >
            <dt className="text-muted">{label}</dt>
            <dd className="font-bold text-3xl leading-tight tracking-tight xl:text-4xl">
              {number}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** The first thing a visitor reads, over the globe. */
function Hero() {
  return (
    <section aria-labelledby="hero-title" className="relative isolate overflow-clip">
      <div className="column pt-12 pb-80 md:pt-28 md:pb-32 xl:pt-36 xl:pb-40">
        {/* Wide enough for one clause per line, too narrow for two. */}
        <h1
          id="hero-title"
          className="mx-auto max-w-[11.9em] text-wrap text-center font-[750] text-[length:calc(0.25rem+6.7vw)] leading-[1.08] tracking-[-0.035em] md:mx-0 md:text-left md:text-[length:calc(1rem+4vw)] xl:text-[length:4.75rem]"
        >
          Learn whatever you want, whenever you want, however you want.
        </h1>
        <p className="mx-auto mt-6 max-w-md text-center text-lg text-muted md:mx-0 md:text-left md:text-xl lg:max-w-lg">
          Courses by people who do the work they teach. Learn for five minutes or five hours: we
          keep your place.
        </p>
        <div className="mt-8 flex flex-wrap justify-center gap-3 md:justify-start">
          <ButtonLink to="/AllCourses">
            Browse all courses
            <ArrowRight aria-hidden="true" size={18} />
          </ButtonLink>
          <ButtonLink to="/OneCourse" variant="secondary">
            See a sample course
          </ButtonLink>
        </div>
      </div>
      {/* Last: halfway down a section that is still arriving, it would move. */}
      <Globe className="absolute -z-10 top-[21rem] left-1/2 w-[34rem] -translate-x-1/2 md:top-1/2 md:left-auto md:right-[-22rem] md:w-[46rem] md:-translate-y-1/2 md:translate-x-0 lg:right-[-14rem] xl:right-[max(-11rem,calc(50%-52rem))] xl:w-[52rem]" />
    </section>
  )
}
