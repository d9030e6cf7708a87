import {
  ArrowRight,
  ArrowUpRight,
  BadgeCheck,
  Captions,
  Check,
  Eye,
  ListChecks,
  Lock,
  RotateCcw,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { PopularCourses } from '~/features/catalog/course-shelf'
import { CoursePrice, HidePricesOfOwnCourses } from '~/features/enrollment/course-price'
import { renderRunningExam } from '~/features/exams/attempt/running-exams'
import { ButtonLink } from '~/ui/button'
import { MoreLink } from '~/ui/more-link'
import { siteName } from '~/ui/site-name'
import { Globe } from './globe'
import type { Home, HomeCategory } from './home-queries.server'
import {
  type CategoryTexts,
  defaultCategoryTexts,
  defaultFeatures,
  defaultHero,
  type FeatureTexts,
  type HeroTexts,
} from './home-texts'
import { TestimonialSlider } from './testimonial-slider'

/** The home page, in the order of the specification. */
export function HomePage({ home }: { home: Home }) {
  return (
    <>
      <Hero texts={home.hero ?? defaultHero} />
      <HomeNumbers numbers={home.numbers ?? specifiedNumbers} />
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
      <HidePricesOfOwnCourses />
      {home.testimonials.length > 0 && <TestimonialSlider testimonials={home.testimonials} />}
      <CallToAction />
    </>
  )
}

/** The numbers of the specification. A school can show its real numbers instead. */
const specifiedNumbers = [
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
function Hero({ texts: { title, text } }: { texts: HeroTexts }) {
  return (
    <section aria-labelledby="hero-title" className="relative isolate overflow-clip">
      <div className="column pt-12 pb-80 md:pt-28 md:pb-32 xl:pt-36 xl:pb-40">
        {/* The heading is wide enough for one clause in a line, and too narrow for two. */}
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
      {/* The globe comes last. Before the text, it would move while the rest of the section arrives. */}
      <Globe className="absolute -z-10 top-[21rem] left-1/2 w-[34rem] -translate-x-1/2 md:top-1/2 md:left-auto md:right-[-22rem] md:w-[46rem] md:-translate-y-1/2 md:translate-x-0 lg:right-[-14rem] xl:right-[max(-11rem,calc(50%-52rem))] xl:w-[52rem]" />
    </section>
  )
}

type CategoryCardsProps = { texts: CategoryTexts; categories: HomeCategory[] }

/** The categories as cards. A card without a category of the catalog links to the whole catalog. */
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

function CategoryCard({
  category: { name, courses, catalogue, icon },
}: {
  category: HomeCategory
}) {
  return (
    <Link
      to={catalogue ? `/AllCourses?category=${catalogue}` : '/AllCourses'}
      className="card group flex flex-1 flex-col items-start gap-4 p-4 transition-[border-color] duration-150 ease-settle hover:border-accent sm:flex-row sm:items-center sm:p-5"
    >
      <span className="grid size-12 shrink-0 place-items-center rounded-control bg-sunken text-ink duration-150 group-hover:transition-colors group-hover:bg-accent-soft group-hover:text-accent">
        <CategoryIcon html={icon} />
      </span>
      <span className="min-w-0 sm:flex-1">
        <span className="block font-semibold leading-snug">{name}</span>
        <span className="block text-muted text-sm">{courses}</span>
      </span>
      <ArrowUpRight
        aria-hidden="true"
        size={20}
        className="hidden text-muted duration-150 group-hover:transition-colors group-hover:text-accent sm:block"
      />
    </Link>
  )
}

/** A decorative icon that the server has rendered. */
function CategoryIcon({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the server renders the icon from Lucide's own shapes.
  return <span dangerouslySetInnerHTML={{ __html: html }} />
}

/** The closing section of the page: dark in both themes, with two links. */
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

/** A decorative picture of rings with a few stars on them. */
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

/** Home with a notice, which is displayed for every unknown URL. */
export function UnknownPage({ home }: { home: Home }) {
  return (
    <>
      <p className="border-line border-b bg-warn-soft px-4 py-2.5 text-center font-medium text-warn">
        We couldn’t find that page. Here’s the home page instead.
      </p>
      <HomePage home={home} />
    </>
  )
}

export const unknownPageMeta = {
  title: 'Page not found',
  description: 'We couldn’t find that page. Here’s the home page instead.',
  path: null,
} as const

/**
 * The icon, size and picture of each card. The two most important cards have a picture. The texts
 * come from the site.
 */
const cardDesigns = [
  {
    name: 'progress',
    icon: <RotateCcw />,
    className: 'sm:col-span-2 lg:row-span-2',
    picture: <ProgressPicture />,
  },
  { name: 'preview', icon: <Eye /> },
  { name: 'captions', icon: <Captions /> },
  {
    name: 'certificate',
    icon: <BadgeCheck />,
    className: 'sm:col-span-2',
    picture: <CertificatePicture />,
    isPictureBeside: true,
  },
  { name: 'exam', icon: <ListChecks />, className: 'lg:col-span-2' },
  { name: 'privacy', icon: <Lock />, className: 'lg:col-span-2' },
]

/** Up to six cards about what the school does for learners. */
function HomeFeatures({ features: { title, cards } }: { features: FeatureTexts }) {
  if (cards.every((card) => card === null)) {
    return null
  }

  return (
    <section aria-labelledby="features-title" className="column pt-24 lg:pt-32">
      <div className="max-w-2xl">
        <p className="eyebrow">How it works</p>
        <h2 id="features-title" className="title mt-3">
          {title}
        </h2>
      </div>
      <ul className="mt-10 grid grid-flow-dense gap-4 sm:grid-cols-2 lg:mt-14 lg:grid-cols-4 lg:gap-5">
        {cardDesigns.map(({ name, ...design }, index) => {
          const card = cards[index]
          return (
            card && (
              <FeatureCard key={name} title={card.title} {...design}>
                {card.text}
              </FeatureCard>
            )
          )
        })}
      </ul>
    </section>
  )
}

type FeatureCardProps = {
  title: string
  icon: ReactNode
  children: ReactNode
  picture?: ReactNode
  /** Whether the picture stands beside the text, where there is room, and not below it. */
  isPictureBeside?: boolean
  className?: string
}

function FeatureCard({
  title,
  icon,
  children,
  picture,
  isPictureBeside = false,
  className = '',
}: FeatureCardProps) {
  const direction = isPictureBeside ? 'sm:flex-row sm:items-center' : ''

  return (
    <li className={`card flex flex-col overflow-hidden ${direction} ${className}`}>
      <div className="flex-1 p-6 lg:p-7">
        <span aria-hidden="true" className="text-accent [&_svg]:size-6">
          {icon}
        </span>
        <h3 className="mt-4 font-semibold text-lg">{title}</h3>
        <p className="mt-2 text-muted">{children}</p>
      </div>
      {picture && (
        <div
          aria-hidden="true"
          className={isPictureBeside ? 'px-6 pb-6 sm:w-56 sm:p-0 sm:pr-6' : 'mt-auto px-6 lg:px-7'}
        >
          {picture}
        </div>
      )}
    </li>
  )
}

const lessons = [
  { title: 'Markup That Means Something', status: 'done' },
  { title: 'How Wide Is a Box?', status: 'done' },
  { title: 'One Dimension or Two: Flexbox and Grid', status: 'current' },
  { title: 'From an Address to a Page', status: 'open' },
] as const

/** The outline of a course as a learner sees it. The lower end of the card cuts it off. */
function ProgressPicture() {
  return (
    <div className="-mb-px rounded-t-2xl border border-line border-b-0 bg-canvas p-5 pb-2">
      <div className="flex items-baseline justify-between">
        <span className="font-semibold">Web development</span>
        <span className="text-muted text-sm tabular-nums">64%</span>
      </div>
      <svg
        aria-hidden="true"
        width="100%"
        height="8"
        className="mt-3 block overflow-hidden rounded-full bg-line"
      >
        <rect width="64%" height="8" rx="4" className="fill-accent" />
      </svg>
      <div className="mt-4 divide-y divide-line">
        {lessons.map(({ title, status }) => (
          <div
            key={title}
            className={`flex items-center gap-3 py-3 ${status === 'current' ? 'font-semibold' : 'text-muted'}`}
          >
            <LessonMark status={status} />
            <span className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-3 gap-y-1 leading-snug">
              {title}
              {status === 'current' && (
                <span className="rounded-full bg-accent-soft px-2.5 py-0.5 text-accent-strong text-sm">
                  Continue
                </span>
              )}
            </span>
          </div>
        ))}
      </div>
    </div>
  )
}

function LessonMark({ status }: { status: 'done' | 'current' | 'open' }) {
  if (status === 'done') {
    return (
      <span className="grid size-6 shrink-0 place-items-center rounded-full bg-good-soft text-good">
        <Check size={14} strokeWidth={3} />
      </span>
    )
  }

  return (
    <span
      className={`size-6 shrink-0 rounded-full border-2 ${status === 'current' ? 'border-accent' : 'border-line'}`}
    />
  )
}

function CertificatePicture() {
  return (
    <div className="rotate-2 rounded-xl border border-line bg-canvas p-4 shadow-raised">
      <div className="flex items-center justify-between">
        <span className="eyebrow text-[0.6875rem]">Certificate</span>
        <BadgeCheck size={20} className="text-good" />
      </div>
      <div className="mt-3 h-2.5 w-3/4 rounded-full bg-ink/80" />
      <div className="mt-2 h-2 w-full rounded-full bg-line" />
      <div className="mt-1.5 h-2 w-2/3 rounded-full bg-line" />
      <div className="mt-4 rounded-lg bg-good-soft px-3 py-1.5 text-center font-semibold text-good text-xs">
        Valid
      </div>
    </div>
  )
}
