import { ChevronLeft, ChevronRight, Pause, Play } from 'lucide-react'
import { IconButton } from '~/ui/icon-button'
import type { Testimonial } from './home-queries.server'
import { TestimonialCard } from './testimonial-card'
import { useTestimonialSlider } from './use-testimonial-slider'

/**
 * The WAI-ARIA carousel: the cards move by themselves until somebody looks closer. Without a script it is a list that
 * scrolls sideways.
 */
export function TestimonialSlider({ testimonials }: { testimonials: Testimonial[] }) {
  const slider = useTestimonialSlider(testimonials.length)
  const leading = testimonials[slider.index]
  const several = testimonials.length > 1
  return (
    <section
      aria-roledescription={several ? 'carousel' : undefined}
      aria-labelledby="testimonials-title"
      className="mt-24 border-line border-y bg-sunken py-20 lg:mt-32 lg:py-28"
      {...slider.attention}
    >
      <div className="column flex flex-wrap items-end justify-between gap-6">
        <div className="max-w-2xl">
          <p className="eyebrow">In their words</p>
          <h2 id="testimonials-title" className="title mt-3">
            What learners say
          </h2>
        </div>
        {several && <Controls slider={slider} count={testimonials.length} name={leading?.name} />}
      </div>
      <div
        className={`mx-auto mt-6 max-w-[112rem] py-4 [scrollbar-width:none] md:[mask-image:linear-gradient(to_right,transparent,black_7%,black_93%,transparent)] [@media(scripting:none)]:[scrollbar-width:thin] ${slider.ready ? 'overflow-x-clip' : 'overflow-x-auto'}`}
      >
        <div className="column">
          <div ref={slider.track} data-slider-track="" className={several ? 'flex w-max gap-5' : 'flex justify-center'}>
            {testimonials.map((testimonial, index) => (
              // biome-ignore lint/a11y/useSemanticElements: the carousel pattern wants groups, and these are no form fields.
              <div
                key={testimonial.position}
                role="group"
                aria-roledescription="slide"
                aria-label={`${index + 1} of ${testimonials.length}`}
                className="flex w-[300px] max-w-full"
              >
                <TestimonialCard testimonial={testimonial} />
              </div>
            ))}
          </div>
        </div>
      </div>
    </section>
  )
}

type ControlsProps = { slider: ReturnType<typeof useTestimonialSlider>; count: number; name: string | undefined }

function Controls({ slider, count, name }: ControlsProps) {
  return (
    <div className="flex items-center gap-2 [@media(scripting:none)]:hidden">
      <p aria-live={slider.rotating ? 'off' : 'polite'} aria-atomic="true" className="mr-2 text-muted text-sm">
        <span className="sr-only">Testimonial </span>
        <span className="tabular-nums">
          {slider.index + 1} of {count}
        </span>
        <span className="sr-only">, by {name}</span>
      </p>
      <IconButton
        look="round"
        label={slider.paused ? 'Play the testimonials' : 'Pause the testimonials'}
        onClick={slider.togglePaused}
      >
        {slider.paused ? <Play aria-hidden="true" size={20} /> : <Pause aria-hidden="true" size={20} />}
      </IconButton>
      <IconButton look="round" label="Previous testimonial" onClick={slider.showPrevious}>
        <ChevronLeft aria-hidden="true" size={22} />
      </IconButton>
      <IconButton look="round" label="Next testimonial" onClick={slider.showNext}>
        <ChevronRight aria-hidden="true" size={22} />
      </IconButton>
    </div>
  )
}
