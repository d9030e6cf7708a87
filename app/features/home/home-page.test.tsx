import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { describe, expect, it } from 'vitest'
import { HomePage } from './home-page'

const testimonial = (position: number) => ({
  position,
  rating: 5,
  text: 'Good.',
  name: 'Ada',
  role: 'Learner',
})
const category = (position: number) => ({
  position,
  name: 'Music',
  courses: '4',
  catalogue: null,
  icon: '<svg></svg>',
})
const upTo = <Entry,>(count: number, entry: (position: number) => Entry) =>
  Array.from({ length: count }, (_, position) => entry(position))

function homeWith(testimonials: number, categories: number): string {
  const home = {
    hero: null,
    features: null,
    categoryTexts: null,
    testimonials: upTo(testimonials, testimonial),
    categories: upTo(categories, category),
    popular: [],
    numbers: null,
  }

  return renderToStaticMarkup(
    <MemoryRouter>
      <HomePage home={home} />
    </MemoryRouter>,
  )
}

describe('the home page', () => {
  it('leaves out sections without entries', () => {
    const html = homeWith(0, 0)

    expect(html).not.toContain('testimonials-title')
    expect(html).not.toContain('categories-title')
  })

  it('shows a single testimonial in the middle, without controls', () => {
    const html = homeWith(1, 1)

    expect(html).toContain('What learners say')
    expect(html).not.toContain('Next testimonial')
    expect(html).not.toContain('carousel')
    expect(html).toMatch(/data-slider-track="" class="flex justify-center"/)
  })

  it.each([2, 3, 50])('rotates %i testimonials', (count) => {
    const html = homeWith(count, count)

    expect(html).toContain('Next testimonial')
    expect(html.match(/<figure/g)).toHaveLength(count)
  })
})
