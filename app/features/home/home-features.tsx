import { BadgeCheck, Captions, Check, Eye, ListChecks, Lock, RotateCcw } from 'lucide-react'
import type { ReactNode } from 'react'
import type { FeatureTexts } from './home-texts'

/**
 * The icon, size and picture of each card. The two most important cards have a picture. The texts
 * are in `FeatureTexts`, in the same order.
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

/** Shows up to six cards about what the school does for learners. */
export function HomeFeatures({ features: { title, cards } }: { features: FeatureTexts }) {
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
  /** Whether the picture is beside the text on wide screens, instead of below it. */
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

const pictureLessons = [
  { title: 'Markup That Means Something', status: 'done' },
  { title: 'How Wide Is a Box?', status: 'done' },
  { title: 'One Dimension or Two: Flexbox and Grid', status: 'current' },
  { title: 'From an Address to a Page', status: 'open' },
] as const

/**
 * Draws the outline of a course as a learner sees it. The lower edge of the card cuts the picture
 * off.
 */
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
        {pictureLessons.map(({ title, status }) => (
          <div
            key={title}
            className={`flex items-center gap-3 py-3 ${status === 'current' ? 'font-semibold' : 'text-muted'}`}
          >
            <LessonStatusIcon status={status} />
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

function LessonStatusIcon({ status }: { status: 'done' | 'current' | 'open' }) {
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
