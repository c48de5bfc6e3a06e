// A page that is a document of its own already, such as slides.
export default ({ content }) => content;
