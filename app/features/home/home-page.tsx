import { ArrowRight, ArrowUpRight } from 'lucide-react'
import { Link } from 'react-router'
import { PopularCourses } from '~/features/catalog/course-shelf'
import { CoursePrice, HidePricesOfEnrolledCourses } from '~/features/enrollment/course-price'
import { renderRunningExam } from '~/features/exams/attempt/running-exams'
import { ButtonLink } from '~/ui/button'
import { MoreLink } from '~/ui/more-link'
import { siteName } from '~/ui/site-name'
import { Globe } from './globe'
import { HomeFeatures } from './home-features'
import type { Home, HomeCategory } from './home-queries.server'
import {
  type CategoryTexts,
  defaultCategoryTexts,
  defaultFeatures,
  defaultHero,
  type HeroTexts,
} from './home-texts'
import { TestimonialSlider } from './testimonial-slider'

/** Shows the home page, with its sections in the order of the specification. */
export function HomePage({ home }: { home: Home }) {
  return (
    <>
      <Hero texts={home.hero ?? defaultHero} />
      <HomeNumbers numbers={home.numbers ?? defaultNumbers} />
      <HomeFeatures features={home.features ?? defaultFeatures} />
      {home.categories.length > 0 && (
        <CategoryCards
          texts={home.categoryTexts ?? defaultCategoryTexts}
          categories={home.categories}
        />
      )}
      <PopularCourses
        courses={home.popular}
        slots={{ notice: renderRunningExam, price: (course) => <CoursePrice course={course} /> }}
      />
      <HidePricesOfEnrolledCourses />
      {home.testimonials.length > 0 && <TestimonialSlider testimonials={home.testimonials} />}
      <CallToAction />
    </>
  )
}

/** Shows the first text that a visitor reads, with the globe behind it. */
function Hero({ texts: { title, text } }: { texts: HeroTexts }) {
  return (
    <section aria-labelledby="hero-title" className="relative isolate overflow-clip">
      <div className="column pt-12 pb-80 md:pt-28 md:pb-32 xl:pt-36 xl:pb-40">
        {/* Each line of the heading has room for one clause of its text, but not for two. */}
        <h1
          id="hero-title"
          className="mx-auto max-w-[11.9em] text-wrap text-center font-[750] text-[length:calc(0.25rem+6.7vw)] leading-[1.08] tracking-[-0.035em] md:mx-0 md:text-left md:text-[length:calc(1rem+4vw)] xl:text-[length:4.75rem]"
        >
          {title}
        </h1>
        <p className="mx-auto mt-6 max-w-md text-center text-lg text-muted md:mx-0 md:text-left md:text-xl lg:max-w-lg">
          {text}
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
      {/* The globe follows the text in the HTML. If it came first, it would appear without the text, and move when the text arrives. */}
      <Globe className="absolute -z-10 top-[21rem] left-1/2 w-[34rem] -translate-x-1/2 md:top-1/2 md:left-auto md:right-[-22rem] md:w-[46rem] md:-translate-y-1/2 md:translate-x-0 lg:right-[-14rem] xl:right-[max(-11rem,calc(50%-52rem))] xl:w-[52rem]" />
    </section>
  )
}

/** The numbers that the specification defines. A school can show its real numbers instead. */
const defaultNumbers = [
  ['10,000+', 'active students'],
  ['500+', 'expert courses'],
  ['95%', 'success rate'],
  ['25K+', 'certificates'],
  ['160+', 'fields'],
  ['15+', 'languages'],
] as const

type HomeNumbersProps = { numbers: readonly (readonly [number: string, label: string])[] }

function HomeNumbers({ numbers }: HomeNumbersProps) {
  if (numbers.length === 0) {
    return null
  }

  return (
    <section aria-labelledby="numbers-title" className="relative border-line border-y bg-surface">
      <h2 id="numbers-title" className="sr-only">
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

type CategoryCardsProps = { texts: CategoryTexts; categories: HomeCategory[] }

/**
 * Shows the categories as cards. A card that has no category of the catalog links to the whole
 * catalog.
 */
function CategoryCards({ texts: { title, text }, categories }: CategoryCardsProps) {
  return (
    <section
      aria-labelledby="categories-title"
      className="column grid gap-10 pt-24 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)] lg:gap-16 lg:pt-32"
    >
      <div className="lg:sticky lg:top-28 lg:self-start">
        <p className="eyebrow">Categories</p>
        <h2 id="categories-title" className="title mt-3">
          {title}
        </h2>
        <p className="mt-4 max-w-md text-muted">{text}</p>
        <MoreLink to="/AllCourses" className="mt-6">
          See all courses
        </MoreLink>
      </div>
      <ul className="grid grid-cols-2 gap-3 sm:gap-4">
        {categories.map((category) => (
          <li key={category.position} className="flex last:odd:col-span-2">
            <CategoryCard category={category} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function CategoryCard({ category }: { category: HomeCategory }) {
  const { name, courses: courseCountText, catalogue: catalogCategory, icon: iconHtml } = category

  return (
    <Link
      to={catalogCategory ? `/AllCourses?category=${catalogCategory}` : '/AllCourses'}
      className="card group flex flex-1 flex-col items-start gap-4 p-4 transition-[border-color] duration-150 ease-settle hover:border-accent sm:flex-row sm:items-center sm:p-5"
    >
      <span className="grid size-12 shrink-0 place-items-center rounded-control bg-sunken text-ink duration-150 group-hover:transition-colors group-hover:bg-accent-soft group-hover:text-accent">
        <CategoryIcon html={iconHtml} />
      </span>
      <span className="min-w-0 sm:flex-1">
        <span className="block font-semibold leading-snug">{name}</span>
        {courseCountText && <span className="block text-muted text-sm">{courseCountText}</span>}
      </span>
      <ArrowUpRight
        aria-hidden="true"
        size={20}
        className="hidden text-muted duration-150 group-hover:transition-colors group-hover:text-accent sm:block"
      />
    </Link>
  )
}

/** Shows a decorative icon that the server has rendered. */
function CategoryIcon({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the server renders the icon from Lucide's own shapes.
  return <span dangerouslySetInnerHTML={{ __html: html }} />
}

/** Shows the last section, with two links. It is dark in both themes. */
function CallToAction() {
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

/** Draws decorative rings with a few dots on them. */
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

const pageNotFoundMessage = 'We couldn’t find that page. Here’s the home page instead.'

/** Shows the home page with a notice. It is the page for every unknown URL. */
export function UnknownPage({ home }: { home: Home }) {
  return (
    <>
      <p className="border-line border-b bg-warn-soft px-4 py-2.5 text-center font-medium text-warn">
        {pageNotFoundMessage}
      </p>
      <HomePage home={home} />
    </>
  )
}

export const unknownPageMeta = {
  title: 'Page not found',
  description: pageNotFoundMessage,
  path: null,
} as const
