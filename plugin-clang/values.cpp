/*
 * values.cpp - arguments and returned values as operands of asm statements.
 *
 * Arguments get marks before LLVM changes the function: then it knows that they are used, and that memory is read that
 * a text lies in.  At the end marks become probes.
 *
 * Clang lowers a parameter of a plain type to one argument in IR, another one to any number.  So parameters before the
 * first other one are counted from the front, those behind the last one from the back.
 */
#include PROF_COMPAT

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"

#include "function.h"
#include "probe_text.h"

using namespace llvm;

namespace {

#define VALUE_MARK "# prof value "

/* The value as 64 bits; NULL: it has another type than the source says. */
Value *bits_of(IRBuilder<> *builder, Value *value, enum prof_value_type type) {
  Type *is = value->getType(), *bits = builder->getInt64Ty();
  if ((type == PROF_VALUE_FLOAT && is->isFloatTy()) || (type == PROF_VALUE_DOUBLE && is->isDoubleTy()))
    return builder->CreateBitCast(builder->CreateFPExt(value, builder->getDoubleTy()), bits);
  if (type >= PROF_VALUE_ADDRESS && is->isPointerTy())
    return builder->CreatePtrToInt(value, bits);
  if (type >= PROF_VALUE_FLOAT || !is->isIntegerTy() || is->getIntegerBitWidth() > 64)
    return nullptr;
  return type == PROF_VALUE_SIGNED ? builder->CreateSExt(value, bits) : builder->CreateZExt(value, bits);
}

/* A statement of the value before `before`; frees `text`. */
void statement_put(Instruction *before, struct prof_text *text, Value *source, enum prof_value_type type) {
  IRBuilder<> builder(before);
  builder.SetCurrentDebugLocation(DebugLoc());
  if (Value *bits = bits_of(&builder, source, type))
    prof_statement_put(before, text, bits, type == PROF_VALUE_TEXT);
  else
    prof_text_fini(text);
}

/* The probe's text; frees nothing. */
void probe_text(struct prof_probing *state, struct prof_text *text, const struct prof_candidate_value *value,
                uint32_t line) {
  struct prof_backend *backend = state->backend;
  if (backend->linked_as_ir) {
    state->facts.anchor = prof_sled_label;
    prof_probe_registers(text, backend->unit.arch);
  }
  prof_probe_add_value_plain(text, backend->unit.arch, prof_sled_label, &state->facts, state->key, value, line,
                             backend->unit.arch->llvm_register);
}

/* Arguments in IR that stand for parameters of the source. */
SmallVector<Argument *, 8> arguments_of(Function *function) {
  SmallVector<Argument *, 8> all;
  for (Argument &argument : function->args())
    if (!argument.hasStructRetAttr())
      all.push_back(&argument);
  return all;
}

/* How many of the first ones are no OTHER, from one end. */
template <typename I> size_t plain_ones(I begin, I end) {
  size_t count = 0;
  for (; begin != end && begin->type != PROF_VALUE_OTHER; ++begin)
    count++;
  return count;
}

void marks_put(Function *function, const prof_noted_function *noted) {
  SmallVector<Argument *, 8> found = arguments_of(function);
  const std::vector<prof_noted_value> &named = noted->arguments;
  size_t front = plain_ones(named.begin(), named.end()), back = plain_ones(named.rbegin(), named.rend());
  if (front == named.size() ? found.size() != front : found.size() < front + back)
    return;
  Instruction *first = &*function->getEntryBlock().getFirstInsertionPt();
  for (size_t i = 0; i < named.size(); i++) {
    struct prof_text text = {};
    if ((i >= front && named.size() - i > back) || named[i].name.empty())
      continue;
    prof_text_format(&text, VALUE_MARK "%zu %s", i, function->getName().str().c_str());
    statement_put(first, &text, found[i < front ? i : found.size() - (named.size() - i)], named[i].type);
  }
}

/* The mark of an argument; *index: of it.  `function`: whose it is. */
bool is_mark(const Instruction &instruction, size_t *index, std::string *function) {
  const auto *call = dyn_cast<CallInst>(&instruction);
  const auto *text = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
  if (!text || text->getAsmString().compare(0, sizeof VALUE_MARK - 1, VALUE_MARK))
    return false;
  std::string rest = text->getAsmString().substr(sizeof VALUE_MARK - 1);
  *index = std::stoul(rest);
  *function = rest.substr(rest.find(' ') + 1);
  return true;
}

const prof_noted_function *noted_of(const struct prof_probing *state) {
  const prof_noted_values &all = state->backend->values;
  auto noted = all.empty() ? all.end() : all.find(state->function->getName().str());
  return noted != all.end() && prof_select_values(&state->backend->unit.arguments, &state->facts) ? &noted->second
                                                                                                  : nullptr;
}

} // namespace

bool prof_module_values(struct prof_backend *backend, Module &module) {
  bool any = false;
  for (Function &function : module) {
    struct prof_probing state;
    if (backend->values.empty() || function.isDeclaration() || function.getName().empty())
      continue;
    prof_function_describe(&state, backend, function);
    const prof_noted_function *noted = noted_of(&state);
    if (!noted)
      continue;
    marks_put(&function, noted);
    if (!function.hasFnAttribute(Attribute::AlwaysInline))
      function.addFnAttr(Attribute::NoInline);
    any = true;
  }
  return any;
}

bool prof_values_is_mark(const Instruction &instruction) {
  size_t index;
  std::string function;
  return is_mark(instruction, &index, &function);
}

void prof_values_finish(struct prof_probing *state, bool is_probed) {
  SmallVector<CallInst *, 8> marks;
  const prof_noted_function *noted = is_probed ? noted_of(state) : nullptr;
  size_t index;
  std::string function;
  for (BasicBlock &block : *state->function)
    for (Instruction &instruction : block)
      if (is_mark(instruction, &index, &function))
        marks.push_back(cast<CallInst>(&instruction));
  for (CallInst *mark : marks) {
    struct prof_text text = {};
    is_mark(*mark, &index, &function);
    if (!noted || function != state->function->getName() || index >= noted->arguments.size()) { /* it was inlined */
      prof_mark_remove(state, mark);
      continue;
    }
    const prof_noted_value &named = noted->arguments[index];
    const struct prof_candidate_value value = {named.name.c_str(), prof_value_flags(named.type)};
    probe_text(state, &text, &value, state->facts.line);
    prof_statement_change(mark, &text);
  }
  state->has_values = noted != nullptr;
}

void prof_values_leave(struct prof_probing *state, Instruction *before, uint32_t line) {
  const prof_noted_function *noted = state->has_values ? noted_of(state) : nullptr;
  auto *end = dyn_cast<ReturnInst>(before);
  Value *source = noted && end ? end->getReturnValue() : nullptr;
  if (!source || isa<UndefValue>(source) || noted->returned == PROF_VALUE_OTHER) /* undefined: no caller uses it */
    return;
  struct prof_text text = {};
  const struct prof_candidate_value value = {prof_value_returned,
                                             PROF_ROW_RETURNED | prof_value_flags(noted->returned)};
  probe_text(state, &text, &value, line);
  statement_put(before, &text, source, noted->returned);
}
