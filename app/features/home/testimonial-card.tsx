import { Avatar } from '~/ui/avatar'
import { Stars } from '~/ui/stars'
import type { Testimonial } from './home-queries.server'

export function TestimonialCard({ testimonial: { rating, text, name, role } }: { testimonial: Testimonial }) {
  return (
    <figure className="card flex flex-1 flex-col p-6">
      <Stars rating={rating} />
      <blockquote className="mt-4 flex-1">
        <p>{text}</p>
      </blockquote>
      <figcaption className="mt-6 flex items-center gap-3 border-line border-t pt-5">
        <Avatar src={null} name={name} />
        <span className="min-w-0">
          <span className="block font-semibold leading-snug">{name}</span>
          <span className="block text-muted text-sm leading-snug">{role}</span>
        </span>
      </figcaption>
    </figure>
  )
}
