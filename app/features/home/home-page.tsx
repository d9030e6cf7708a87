import { CallToAction } from './call-to-action'
import { CategoryCards } from './category-cards'
import { Hero } from './hero'
import { HomeFeatures } from './home-features'
import type { Home } from './home-queries.server'
import { HomeStats } from './home-stats'
import { TestimonialSlider } from './testimonial-slider'

/** The shop window, in the order of the specification. */
export function HomePage({ home }: { home: Home }) {
  return (
    <>
      <Hero />
      <HomeStats />
      <HomeFeatures />
      {home.categories.length > 0 && <CategoryCards categories={home.categories} />}
      {home.testimonials.length > 0 && <TestimonialSlider testimonials={home.testimonials} />}
      <CallToAction />
    </>
  )
}
