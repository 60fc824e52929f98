// Splits long functions, before LLVM optimises them.
//
// Several passes of LLVM take time that grows with the square or the cube of the number of loops or branches one after the
// other in a function: whatever asks what holds at the entry of a loop walks through all loops before it. A thousand loops
// took minutes. So a long function is cut into parts of bounded size, which are functions of their own; what is left calls
// them. LLVM's own CodeExtractor does the work; it has no interface in C, hence C++.
//
// A path of cut points leads through a function, or through the body of a loop: each dominates the next, so what leads from
// one to the next is a region with one entry. Neighbouring regions are gathered to parts.

#include "llvm-c/TargetMachine.h"
#include "llvm-c/Types.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/CodeExtractor.h"

using namespace llvm;

namespace {

// What a block counts: its instructions, and what passes do for a loop beside them.
constexpr unsigned WeightOfLoop = 60;

unsigned weightOf(const BasicBlock &Block, const LoopInfo &Loops) {
    return Block.size() + (Loops.isLoopHeader(&Block) ? WeightOfLoop : 0);
}

using Region = SetVector<BasicBlock *>;

// The blocks from `First` on that lead to `Next`, with `First` at the head. It dominates `Next`, and so all of them.
Region between(BasicBlock *First, BasicBlock *Next) {
    Region Blocks;
    Blocks.insert(First);
    SmallVector<BasicBlock *> Todo(predecessors(Next));
    while (!Todo.empty()) {
        BasicBlock *Block = Todo.pop_back_val();
        if (Block != Next && Blocks.insert(Block)) {
            append_range(Todo, predecessors(Block));
        }
    }
    return Blocks;
}

using Weights = DenseMap<const DomTreeNode *, unsigned>;

// What the blocks count that each block dominates, itself among them.
Weights dominatedWeights(const DominatorTree &Tree, const LoopInfo &Loops) {
    Weights Sums;
    for (const DomTreeNode *Node : post_order(Tree.getRootNode())) {
        unsigned Sum = weightOf(*Node->getBlock(), Loops);
        for (const DomTreeNode *Child : *Node) {
            Sum += Sums.lookup(Child);
        }
        Sums[Node] = Sum;
    }
    return Sums;
}

// From `Top` down the dominator tree to where most is, within `Around`; the blocks of it that lie in no loop within.
SmallVector<BasicBlock *> cutPoints(BasicBlock *Top, const Loop *Around, const DominatorTree &Tree,
                                    const LoopInfo &Loops, const Weights &Sums) {
    SmallVector<BasicBlock *> Points;
    for (const DomTreeNode *Node = Tree.getNode(Top); Node;) {
        if (Loops.getLoopFor(Node->getBlock()) == Around) {
            Points.push_back(Node->getBlock());
        }
        const DomTreeNode *Next = nullptr;
        for (const DomTreeNode *Child : *Node) {
            bool Within = !Around || Around->contains(Child->getBlock());
            if (Within && (!Next || Sums.lookup(Child) > Sums.lookup(Next))) {
                Next = Child;
            }
        }
        Node = Next;
    }
    return Points;
}

// Parts of about `Size` along a path.
SmallVector<Region> partsAlong(ArrayRef<BasicBlock *> Points, const LoopInfo &Loops, unsigned Size) {
    SmallVector<Region> Parts;
    Region Part;
    unsigned Weight = 0;
    // The first block has the allocations of the function or is the header of the loop: it stays, and so does the last one.
    for (size_t At = 1; At + 1 < Points.size(); ++At) {
        for (BasicBlock *Block : between(Points[At], Points[At + 1])) {
            Part.insert(Block);
            Weight += weightOf(*Block, Loops);
        }
        if (Weight >= Size) {
            Parts.push_back(std::move(Part));
            Part = Region();
            Weight = 0;
        }
    }
    if (Weight >= Size / 2) {
        Parts.push_back(std::move(Part));
    }
    return Parts;
}

// Makes functions of the parts that can be, and adds them to `Made`.
void extract(Function &F, ArrayRef<Region> Parts, SmallVectorImpl<Function *> &Made) {
    for (const Region &Part : Parts) {
        CodeExtractorAnalysisCache Cache(F);
        CodeExtractor Extractor(Part.getArrayRef(), nullptr, false, nullptr, nullptr, nullptr, false, false, nullptr, "part");
        if (!Extractor.isEligible()) {
            continue;
        }
        if (Function *New = Extractor.extractCodeRegion(Cache)) {
            New->addFnAttr(Attribute::NoInline);
            Made.push_back(New);
        }
    }
}

// Splits one loop of the function, from within, or its whole body. Adds what it makes to `Made`; all analyses are stale
// then.
void splitOnce(Function &F, unsigned Limit, unsigned Size, SmallVectorImpl<Function *> &Made) {
    DominatorTree Tree(F);
    LoopInfo Loops(Tree);
    Weights Sums = dominatedWeights(Tree, Loops);
    if (Sums.lookup(Tree.getRootNode()) < Limit) {
        return;
    }
    SmallVector<Loop *> Order = Loops.getLoopsInPreorder();
    for (Loop *Body : reverse(Order)) {
        unsigned Weight = 0;
        for (const BasicBlock *Block : Body->blocks()) {
            Weight += weightOf(*Block, Loops);
        }
        if (Weight >= Limit) {
            auto Points = cutPoints(Body->getHeader(), Body, Tree, Loops, Sums);
            extract(F, partsAlong(Points, Loops, Size), Made);
            if (!Made.empty()) {
                return;
            }
        }
    }
    auto Points = cutPoints(&F.getEntryBlock(), nullptr, Tree, Loops, Sums);
    extract(F, partsAlong(Points, Loops, Size), Made);
}

} // namespace

// Splits each function of more than `Limit` into parts of about `Size`, as far as it can be.
extern "C" void numbra_llvm_split(LLVMModuleRef Unit, unsigned Limit, unsigned Size) {
    SmallVector<Function *> Todo;
    for (Function &F : *unwrap(Unit)) {
        if (!F.isDeclaration()) {
            Todo.push_back(&F);
        }
    }
    while (!Todo.empty()) {
        Function *F = Todo.pop_back_val();
        size_t Before = F->getInstructionCount();
        SmallVector<Function *> Made;
        splitOnce(*F, Limit, Size, Made);
        // What goes in and out of a part costs instructions, too: where parts save nothing, this ends.
        if (!Made.empty() && F->getInstructionCount() < Before / 4 * 3) {
            Todo.push_back(F);
        }
        for (Function *Part : Made) {
            if (Part->getInstructionCount() < Before / 4 * 3) {
                Todo.push_back(Part);
            }
        }
    }
}

// Has the machine take its cheaper passes where a block of the optimised module has more than `Limit` instructions: the
// scheduler after register allocation compares each store of a block with all before it.
extern "C" void numbra_llvm_spare(LLVMModuleRef Unit, LLVMTargetMachineRef Machine, unsigned Limit) {
    for (const Function &F : *unwrap(Unit)) {
        for (const BasicBlock &Block : F) {
            if (Block.size() > Limit) {
                reinterpret_cast<TargetMachine *>(Machine)->setOptLevel(CodeGenOptLevel::Less);
                return;
            }
        }
    }
}
